"""Qoder: its hooks, as documented."""
