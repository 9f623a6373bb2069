"""The plugins that are shipped for clients whose hooks are functions, and what they feed."""
