"""Antigravity CLI: its hooks."""
