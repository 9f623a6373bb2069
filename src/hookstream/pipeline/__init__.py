"""The pipeline: its stages in order, batches of records, machines, the state that is kept; and what
the tables cover."""
