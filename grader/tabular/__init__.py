"""Tables that are handed to people in several forms, and how a task is cited."""
