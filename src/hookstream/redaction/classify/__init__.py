"""What a value is like, whatever stands around it: code, prose, random, made up, a password."""
