"""Output formats: one module per format, following its official specification."""
