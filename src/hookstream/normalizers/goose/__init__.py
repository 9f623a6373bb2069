"""Goose: its hooks and its database, as documented."""
