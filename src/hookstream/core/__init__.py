"""What every room may use: files written safely."""
