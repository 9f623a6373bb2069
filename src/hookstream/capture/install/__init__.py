"""Registering the hook program with every client, and taking it out again without a trace."""
