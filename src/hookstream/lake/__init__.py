"""The lake: its columns, the one lister of its parts, damage, and the log of a Delta table."""
