"""Session files as a source: found, identified, read without a lock, record by record.

The meaning of their records is in each client's `normalizers/<client>/transcript.py`.
"""
