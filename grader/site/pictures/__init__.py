"""Pictures of boards and runs: geometry, words and the numbers behind it."""

from grader.site.pictures.gallery import missing, of_board, of_kinds, of_run
from grader.site.pictures.picture import Data, Picture

__all__ = ["Data", "Picture", "missing", "of_board", "of_kinds", "of_run"]
