"""A number with its noun."""


def counted(n: int, noun: str, one: str = "", many: str = "") -> str:
    """A number, its noun in the singular or plural, and what is said of one or of many.

    >>> counted(1, "run"), counted(0, "run")
    ('1 run', '0 runs')
    >>> counted(1, "answer", "ends", "end"), counted(2, "answer", "ends", "end")
    ('1 answer ends', '2 answers end')
    """
    said = f"{n} {noun}" if n == 1 else f"{n} {noun}s"
    verb = one if n == 1 else many
    return f"{said} {verb}" if verb else said
