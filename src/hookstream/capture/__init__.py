"""Capture: what runs inside an agent's process tree, and the log it appends to."""
