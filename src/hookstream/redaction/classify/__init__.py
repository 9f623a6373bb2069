"""Classifiers of a value, whatever surrounds it: code, prose, random, made up, a password."""
