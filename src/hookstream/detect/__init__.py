"""Detectors over a sequence of Events. They use only facts that every privacy mode keeps, so that
scores, loops and decisions are the same in all of them."""
