"""What makes a hook start fast: a snapshot of code and compiled patterns, and stand-ins for costly
modules of the standard library. Only speed depends on it (docs/decisions/0013-hook-startup.md)."""
