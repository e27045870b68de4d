"""What is handed to people as tables."""

from grader.export.folder import Subject, folder
from grader.export.scores import as_json, csv, frame

__all__ = ["Subject", "as_json", "csv", "folder", "frame"]
