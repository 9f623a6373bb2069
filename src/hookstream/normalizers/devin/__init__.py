"""Devin CLI: its hooks."""
