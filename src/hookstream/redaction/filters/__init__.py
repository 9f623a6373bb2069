"""Reasons to drop a finding: what looks like a secret and opens nothing."""
