"""The version of the package, quoted in every signature."""

__version__ = "0.1.0"
