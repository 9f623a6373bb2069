"""The append-only log: its place, locks, rotation and last line."""
