"""The version of this package: written into every event, so that a fleet shows who is behind."""

__version__ = "0.2.0"
