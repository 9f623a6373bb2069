"""The local web application over a lake: loopback only, and every value shown is hostile input."""
