"""python -m hookstream"""

from hookstream.cli import main

main()
