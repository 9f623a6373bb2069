"""Rows of rules, written by `python -m hookstream.redaction.compile`. Not to be edited."""
