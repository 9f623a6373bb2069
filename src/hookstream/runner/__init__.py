"""One-shot runs: options, batches, workers."""
