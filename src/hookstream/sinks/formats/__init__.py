"""How an event looks to those who receive it: one module a format, each after its owner's rules."""
