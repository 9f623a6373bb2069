"""The two standards: Event to dict and back. Only these modules know their shapes."""
