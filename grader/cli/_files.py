"""Writing a file for a person: whole or not at all, and never over another one unasked."""

import os
from pathlib import Path

from grader.errors import Mistake


def write(file: Path, content: bytes, *, over: bool | None = None) -> None:
    """Write a new file; ``over`` an old one only if told. A failure leaves no stump.

    over  None where the command has no --force

    raises  Mistake, if there is one already, or it cannot be written
    """
    forced = "" if over is None else ", or write over it with --force"
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        if file.exists() and not over:
            raise Mistake(
                f"{file} exists already",
                mend=f"name another file with --out{forced}",
            )
        try:
            part.write_bytes(content)
            part.replace(file)
        finally:
            part.unlink(missing_ok=True)
    except OSError as e:
        raise Mistake(f"{file} cannot be written: {e.strerror}") from e
