"""What a value is like, whatever stands around it: code, prose, gibberish, made up by people."""
