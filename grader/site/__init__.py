"""The leaderboard as files: what is here makes them and is pure, ``grader.publishing`` writes."""

from grader.site.addresses import tasks_shown
from grader.site.pages import render, renewed
from grader.site.parcels import parcel_pages

__all__ = ["parcel_pages", "render", "renewed", "tasks_shown"]
