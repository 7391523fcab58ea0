"""The command line, one file per command. See README.md in this folder."""
