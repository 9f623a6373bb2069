"""Fast start of a hook: a snapshot of code and compiled patterns, and light replacements of costly
modules of the standard library. Only speed depends on it (docs/decisions/0013-hook-startup.md)."""
