"""Run a shared task whose submissions carry confidences."""

__version__ = "0.1.0"
