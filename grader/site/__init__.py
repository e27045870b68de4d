"""The leaderboard as files: ``render`` makes them and is pure, ``publish`` is the only writer."""

from grader.site.crew import meanwhile
from grader.site.manifest import PUBLIC, known, tasks_shown
from grader.site.pages import render, renewed
from grader.site.parcels import parcel_pages
from grader.site.publishing import Published, publish
from grader.site.staging import Page

__all__ = [
    "PUBLIC",
    "Page",
    "Published",
    "known",
    "meanwhile",
    "parcel_pages",
    "publish",
    "render",
    "renewed",
    "tasks_shown",
]
