"""Who takes part: teams from a file, renamed, merged, erased."""

from grader.registration.erasing import Erased, erase
from grader.registration.importing import Import, Imported, import_teams
from grader.registration.sheet import COLUMNS
from grader.registration.teams import Merged, merge, rename

__all__ = [
    "COLUMNS",
    "Erased",
    "Import",
    "Imported",
    "Merged",
    "erase",
    "import_teams",
    "merge",
    "rename",
]
