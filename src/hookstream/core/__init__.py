"""Shared helpers: writing files safely."""
