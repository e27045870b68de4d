"""Files shared by several projects and kept out of this one: named by GRADER_SHARED.

Without the variable the tests that need them skip; with it a missing file is a failure.
"""

import os
from pathlib import Path

import pytest


def shared(*parts):
    """The path of a shared file or folder."""
    named = os.environ.get("GRADER_SHARED")
    if not named:
        pytest.skip("GRADER_SHARED does not name the folder of shared oracles and data")
    path = Path(named, *parts)
    if not path.exists():
        pytest.fail(f"GRADER_SHARED is set, and {path} is not there", pytrace=False)
    return path
