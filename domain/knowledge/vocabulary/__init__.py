"""Owners' everyday words, one YAML file a field: signs, illnesses, care, foods, conduct. Data only."""
