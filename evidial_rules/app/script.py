"""What Streamlit runs, anew at each touch of a widget."""
from __future__ import annotations

if __name__ == "__main__":  # imported, it shows nothing
    from evidial_rules.app.views import show
    from evidial_rules.app.workspace import current

    show(current())
