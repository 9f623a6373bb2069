"""A model server that only plays a script."""
