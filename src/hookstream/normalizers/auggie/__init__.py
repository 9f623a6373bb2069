"""Auggie (Augment Code): its hooks and session files."""
