"""End-to-end suite: the published agent clients, headless, against a scripted model on loopback."""
