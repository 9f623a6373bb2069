"""Wrap of a policy hook: run it, pass its answer through byte for byte and record the decision."""
