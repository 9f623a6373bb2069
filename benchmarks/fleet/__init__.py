"""A fleet of developers with planted sessions, and the count of what hookstream finds of them."""
