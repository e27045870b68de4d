"""What is handed to people as tables."""

from grader.export.scores import as_json, csv, frame

__all__ = ["as_json", "csv", "frame"]
