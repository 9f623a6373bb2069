"""The append-only log: where it lies, locks, rotation and its last line."""
