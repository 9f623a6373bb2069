"""Retention: what has been kept long enough goes, content before records; holds keep it.

policy    what goes and why, holds included; counts
holds     legal holds of a folder, by case
records   facts of a written line; a line without its content
ledger    what a folder keeps of it: sessions that were cut, what has lost its content
lines     what becomes of files of lines       sealed_lines   and of the folder that holds them
lake      what becomes of Parquet parts        sealed_lake    and of the lake
apply     one folder, whatever it holds

Work is staged beside the data and committed at once (`sinks/staged.py`); in a sealed folder a
statement that the operator signs commits (`seal/pruning.py`).
"""
