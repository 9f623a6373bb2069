"""The lake: which files of a folder are its parts, and which are left out."""
