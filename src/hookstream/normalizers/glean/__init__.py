"""Glean: its customer event log."""
