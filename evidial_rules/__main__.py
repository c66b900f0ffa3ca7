"""`python -m evidial_rules`: the same as the `evidial` command."""
from __future__ import annotations

from .cli import main

if __name__ == "__main__":
    main()
