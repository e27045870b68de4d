"""How long the bar of a value is."""


def share(value: float, bounds: tuple[float, float]) -> float:
    """Where a value lies between its bounds, as the length of a bar from 0 to 100.

    >>> share(0.25, (0, 1)), share(3.0, (0, 1))
    (25.0, 100.0)
    """
    low, high = bounds
    return round(100 * min(max((value - low) / (high - low), 0.0), 1.0), 1)
