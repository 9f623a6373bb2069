"""The capture bundle: one file with hook, wrap, installer, collector and shipper for machines that
have Python and nothing else (docs/bundle.md)."""
