"""Retention: what has been kept long enough goes, content before records; holds keep it.

policy    what goes and why, holds included; counts
holds     legal holds of a folder, by case
records   facts of a written line; a line without its content
ledger    what a folder keeps of it: sessions that were cut, what has lost its content
lines     folders of files of lines
lake      folders of Parquet parts
apply     one folder, whatever it holds

Work is staged beside the data and committed at once (`sinks/staged.py`); in a sealed folder a
statement that the operator signs commits (`seal/pruning.py`).
"""
