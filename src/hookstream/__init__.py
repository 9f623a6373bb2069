"""hookstream: one audit stream from every AI coding agent."""

__version__ = "0.1.0"
