"""A record of what the program does, kept so that moving its insides changes nothing else: see README.md."""
