"""Mistral Vibe: its table, and the functions that differ from other vendors'."""
