"""How much a game may be: numbers and sizes of what is read, of all games that build on each other together."""

MAX_FILES = 500
MAX_INCLUDES = 2_000
MAX_FILE_BYTES = 600_000
MAX_GAME_BYTES = 2_000_000
# A game of more than so many bytes may have so many words and signs; a smaller one is read whole, whatever it has.
WHOLE_BYTES = 500_000
MAX_WORDS = 160_000
MAX_BASES = 20
