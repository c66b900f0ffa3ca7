"""Candidate mentions: what in the text speaks of a symptom dimension (topic x valence, fixed phrases)."""
