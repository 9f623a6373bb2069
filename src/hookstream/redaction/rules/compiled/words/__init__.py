"""The lists of words, compiled."""
