"""Parts that all rooms use: the Event, readers of lines, JSON, times, limits, errors, files."""
