"""How the cost of each part grows with its input; `python -m benchmarks.growth`."""
