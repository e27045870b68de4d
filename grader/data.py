"""Where the files that ship with the package are: templates, migrations, example tasks."""

from pathlib import Path

_HERE = Path(__file__).parent


def folder(name: str) -> Path:
    """A shipped folder: inside the wheel as ``grader/_data``, else at the top of the checkout."""
    packed = _HERE / "_data" / name
    return packed if packed.is_dir() else _HERE.parent / name
