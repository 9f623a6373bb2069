"""Package version, written into every event, so that outdated installations are visible."""

__version__ = "0.3.0"
