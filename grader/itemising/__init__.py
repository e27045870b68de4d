"""Stored runs instance by instance, and the gold that they are read by."""

from grader.itemising.items import itemised
from grader.itemising.opening import opened

__all__ = ["itemised", "opened"]
