"""Continue: the session files of its CLI and its editor extensions."""
