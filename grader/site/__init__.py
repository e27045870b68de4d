"""The leaderboard as files: ``render`` makes them and is pure, ``publish`` is the only writer."""

from grader.site.pages import render
from grader.site.publishing import Published, publish, tasks_shown

__all__ = ["Published", "publish", "render", "tasks_shown"]
