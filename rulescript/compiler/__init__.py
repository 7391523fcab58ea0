"""From a checked model to the text of one Python module; README.md in this folder says how."""
