"""The version of this package: written into every event, so that a fleet shows who is behind."""

__version__ = "0.1.0"
