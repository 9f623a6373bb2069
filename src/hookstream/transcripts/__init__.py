"""Session files as a source: found, told apart, read without a lock, record by record.

What their records mean is said in each client's `normalizers/<client>/transcript.py`.
"""
