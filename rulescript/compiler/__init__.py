"""From a checked model to the text of one Python module.

One compiler, told in rooms that build on one another: `names` (constants, functions, words), `masks` (conditions as
arithmetic on whole sets), `sources` (loops), `expressions`; then for rules with effects `slots` (where values live),
`changing` (effects), `choosing` (decisions), `blocks` (rules cut where they can wait); then `pure` (rules that only
look), `watching` (rules that hold at once), `described` (the data beside the code) and `module`, which puts it all
together. `layout` says where everything lives in a position, `work` how much a rule can be.

`faster` makes the quick form for playouts from that text; what it uses says so in its first line.
"""
