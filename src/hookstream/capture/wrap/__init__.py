"""Runs a policy hook, passes its answer through byte for byte and records the decision."""
