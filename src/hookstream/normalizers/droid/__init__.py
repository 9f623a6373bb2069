"""Droid (Factory): its hooks and session files."""
