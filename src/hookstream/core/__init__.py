"""What every room may use: the Event, readers of lines, JSON, times, limits, errors, files."""
