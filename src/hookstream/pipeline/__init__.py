"""The pipeline: its stages in order, batches of records, machines, and the state that is kept."""
