"""Retention: what has been kept long enough is removed, content before records; holds keep it.

policy    what is removed and why, holds included; counts
holds     legal holds of a folder, by case
records   facts of a written line; a line without its content
ledger    what a folder keeps of it: sessions that were cut, what has lost its content
lines     plan for files of lines              sealed_lines   and for the folder that holds them
lake      a lake, sealed or not
apply     one folder, whatever it holds

Work is staged next to the data and committed at once (`lake/staged.py`); in a sealed folder a
statement that the operator signs commits (`seal/parts.py`).
"""
