def add_to(commands, shared): pass
