"""The cell debugger in a browser (extra `app`): `evidial app DIALOGUES`.

Streamlit runs :mod:`.script`, anew at each touch of a widget; what lasts between two runs is the :class:`Workspace`
that the command opened. What a page looks like is :mod:`evidial_rules.report.html`'s business.
"""
