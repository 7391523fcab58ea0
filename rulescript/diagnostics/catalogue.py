"""Every diagnostic code with its title and explanation, in order.

Nothing comes in; `CODES` goes out, for `check --explain`, the docs pages and the tests that keep them all
in step. The sentence a designer meets first is written where the mistake is found; here is what there is to
say at leisure.

RS0xx syntax and files, RS1xx names, RS2xx types, RS3xx the whole game, RS9xx our own faults. A slug names
the bad thing. A code keeps its meaning for ever: one that is retired leaves a gap. The file is long because
it is a list; look things up in it by number. The places, sides and pieces in the snippets are invented.
"""

from __future__ import annotations

from textwrap import dedent

from attrs import frozen

__all__ = ["CODES", "Code"]


@frozen
class Code:
    """One sort of mistake. `example` is wrong, `cure` is the same put right; a fault of ours has neither."""

    code: str
    slug: str
    title: str
    explanation: str
    example: str
    cure: str


CODES: dict[str, Code] = {}


def _add(code: str, slug: str, title: str, explanation: str, example: str = "", cure: str = "") -> None:
    if code in CODES:
        raise ValueError(f"{code} is in the catalogue twice")
    CODES[code] = Code(code, slug, title, " ".join(explanation.split()), _snippet(example), _snippet(cure))


def _snippet(text: str) -> str:
    return dedent(text).strip("\n")


# ---- RS0xx: syntax and files -----------------------------------------------------------------------------

_add(
    "RS001",
    "unexpected-text",
    "Unexpected text",
    """The line began well, and then came something that cannot stand there. The caret shows the first text
    that did not fit, and the message says what was expected instead; often a colon, a comma or a word is
    missing just before it. The line is then passed over and reading goes on below it, so the other mistakes
    in the file are reported too; what else is wrong with this line shows once it is mended.""",
    """
    phase movement "Tile movement" §4.6
        choose t Tile
    """,
    """
    phase movement "Tile movement" §4.6
        choose t in Tile
    """,
)
_add(
    "RS002",
    "bad-indentation",
    "Bad indentation",
    """What belongs to a rule stands further in than the rule, and lines that belong together start in the
    same column, as in an outline. This line starts in a column that matches nothing above it, or a line
    that should have something under it has nothing. Four spaces for each step is the custom; `rulescript
    fmt` keeps it. In a literate file the fence should start in the first column, not inside a list.""",
    """
    phase movement "Tile movement" §4.6
        choose t in Tile
      move t to Northmark
    """,
    """
    phase movement "Tile movement" §4.6
        choose t in Tile
        move t to Northmark
    """,
)
_add(
    "RS003",
    "unclosed-bracket",
    "Bracket not closed",
    """A bracket was opened and its partner never came, or a different sort of bracket closed it; then a
    second label shows where it was opened. Inside brackets a line may run on to the next, so a missing one
    often shows itself only several lines later.""",
    """
    value strength(r: Region) -> int
        count(r.tiles[side == active)
    """,
    """
    value strength(r: Region) -> int
        count(r.tiles[side == active])
    """,
)
_add(
    "RS004",
    "unknown-character",
    "Character the language does not use",
    """This character has no meaning outside a text in quotes. It often comes from a word processor: curly
    quotes where straight ones are meant, a long dash for a minus sign, or a space that only looks like one.
    Letters with accents are welcome in names.""",
    """
    phase supply “Supply” §4.1
        supply_all()
    """,
    """
    phase supply "Supply" §4.1
        supply_all()
    """,
)
_add(
    "RS005",
    "too-deep-nesting",
    "Nested too deeply",
    """Brackets within brackets, or blocks within blocks, go deeper here than any rulebook needs. The limit
    keeps a damaged or hostile file from exhausting the machine. Give the inner part a name of its own: a
    function for a calculation, a procedure for steps.""",
    """
    value odds(r: Region) -> int
        (((((((((((((((((((((((((((((((((((((((((strength(r))))))))))))))))))))))))))))))))))))))))))
    """,
    """
    value odds(r: Region) -> int
        strength(r)
    """,
)
_add(
    "RS006",
    "bad-language-version",
    "Missing or unknown language version",
    """The main file of a game says on its first line which version of the language it is written in, so
    that a game still means the same years from now. The line is missing, or it names a version this program
    does not know; in the second case a newer rulescript may know it.""",
    'game "Salt and Iron"',
    """
    rulescript 1

    game "Salt and Iron"
    """,
)
_add(
    "RS007",
    "include-outside-folder",
    "Include leaves the game's folder",
    """A game may only read files in its own folder, so that a game from a stranger can be opened without
    worry. This include is an absolute path or climbs out with `..`. Copy the file into the folder, or build
    on the other game by naming it as the base.""",
    'include "../other_game/map.rules"',
    'include "map.rules"',
)
_add(
    "RS008",
    "missing-include",
    "Include not found",
    """There is no such file in the game's folder. Paths start from the folder of the game, use forward
    slashes, and mind capitals on every system, so that the game also loads on somebody else's computer.""",
    'include "Maps/North.rules"',
    'include "maps/north.rules"',
)
_add(
    "RS009",
    "circular-include",
    "Includes in a circle",
    """This file includes another that leads back to it. Each file is read once, and the order of
    declarations does not matter, so list all the files in the main one and drop the includes between
    them.""",
    """
    # in combat.rules
    include "units.rules"
    # in units.rules
    include "combat.rules"
    """,
    """
    # in game.rules
    include "units.rules"
    include "combat.rules"
    """,
)
_add(
    "RS010",
    "oversized-file",
    "File too large",
    """The file is much larger than a chapter of rules or a list of counters can be. The limit keeps a
    damaged or hostile file from exhausting the machine. If it is honest work, divide it: one file for each
    chapter, and the map, the forces and the cards each in their own.""",
    'include "everything.rules"',
    """
    include "map.rules"
    include "forces.rules"
    include "cards.rules"
    """,
)
_add(
    "RS011",
    "unclosed-text",
    "Text not closed",
    """A text in quotes ends on the line where it began, and this one has no closing quote. A quote that
    belongs to the text is written with a backslash before it.""",
    """
    phase supply "Supply §4.1
        supply_all()
    """,
    """
    phase supply "Supply" §4.1
        supply_all()
    """,
)
_add(
    "RS012",
    "tab-in-indentation",
    "Tab in indentation",
    """The line is indented with a tab. A tab is as wide as each editor likes, so two people could see two
    different rules. Use spaces, four for each step; most editors can be told to type spaces for a tab, and
    to replace those that are there. Only the first tab of a file is reported.""",
    "phase supply\n\tsupply_all()",
    """
    phase supply
        supply_all()
    """,
)
_add(
    "RS013",
    "missing-game",
    "Game not found",
    """There is no game of this name and no file or folder at this path, or the folder has no main file. A
    game's folder holds a file called `game.rules` or `game.rules.md`. `rulescript games` lists the games
    that come with the program, and `rulescript new` starts one of your own.""",
    "rulescript check games/salt_and_irn",
    "rulescript check games/salt_and_iron",
)
_add(
    "RS014",
    "too-many-files",
    "Too many files, repeats or facts",
    """The game includes more files than the limit, or something repeated by number is repeated too often to
    be a real component list, or the facts of its things take too long to work out, or its checks do, or what its
    calls leave out (`a: int = ...`) does. The limit keeps a damaged or hostile game from exhausting the machine.""",
    """
    things
        Marker Trench  4000000 in North.stock
    """,
    """
    things
        Marker Trench  4 in North.stock
    """,
)

# ---- RS1xx: names ----------------------------------------------------------------------------------------

_add(
    "RS101",
    "unknown-name",
    "Unknown name",
    """Nothing of this name is declared where it is used. It may be misspelt, be known only inside another
    rule, or belong to an option that is not part of this game. Capitals count, and a name of several words
    is joined with underscores.""",
    """
    after combat  §5
        move Raid to Leage.hand
    """,
    """
    after combat  §5
        move Raid to League.hand
    """,
)
_add(
    "RS102",
    "duplicate-name",
    "Name declared twice",
    """Two things have the same name, so a rule that uses it could mean either. The second label shows the
    first declaration. If the later one is meant to change the earlier, say so with `replace` or another
    amendment.""",
    """
    kind Region: industry: int = 0, fortress: bool = no
        state control: Side = League
        holds tiles: Tile

    kind Region: harbour: bool
    """,
    """
    kind Region: industry: int = 0, fortress: bool = no, harbour: bool = no
        state control: Side = League
        holds tiles: Tile
    """,
)
_add(
    "RS103",
    "ambiguous-bare-name",
    "Bare name is both an attribute and an outer name",
    """Inside square brackets a bare name is an attribute of the thing being looked at. This one is also a
    name of the rule around it, and readers would disagree about which is meant. Write `it.` before the
    attribute, or give the outer one another name. The same is said of a name that several things have,
    where nothing tells which of them is meant.""",
    """
    value friends(side: Side) -> int  §3
        count(Region.tiles[arm == infantry and it.side == side])

    after combat  §5
        tell "{friends(active)} tiles on the map"
    """,
    """
    value friends(s: Side) -> int  §3
        count(Region.tiles[arm == infantry and it.side == s])

    after combat  §5
        tell "{friends(active)} tiles on the map"
    """,
)
_add(
    "RS104",
    "unknown-space-in-link",
    "Unknown space in a link",
    """A link on the map joins a space that the map does not have. Either the name is misspelt, or the space
    still has to be declared; it may stand after the link as well as before it.""",
    """
    map Islands
        link ferry
        Region Skerry
        Region Stonness
        ferry Skerry - Stonnes
        ferry Skerry - Stonness
    """,
    """
    map Islands
        link ferry
        Region Skerry
        Region Stonness
        ferry Skerry - Stonness
    """,
)
_add(
    "RS105",
    "repeated-link",
    "Link given twice",
    """The same two spaces are joined twice by the same sort of link. Links go both ways unless they say
    otherwise, so `A - B` and `B - A` are the same. One of the two is often a slip for a neighbour that is
    now missing.""",
    """
    map Islands
        link ferry
        Region Skerry
        Region Stonness
        ferry Skerry - Stonness
        ferry Stonness - Skerry
    """,
    """
    map Islands
        link ferry
        Region Skerry
        Region Stonness
        ferry Skerry - Stonness
    """,
)
_add(
    "RS106",
    "reserved-name",
    "Name is a word of the language",
    """The language uses this word for itself, so nothing else can be called that. A capital, a plural or a
    second word is enough to tell them apart.""",
    """
    kind Region: industry: int = 0, fortress: bool = no, place: int = 0
        state control: Side = League
        holds tiles: Tile
    """,
    """
    kind Region: industry: int = 0, fortress: bool = no, rank: int = 0
        state control: Side = League
        holds tiles: Tile
    """,
)
_add(
    "RS107",
    "unknown-attribute",
    "Unknown attribute",
    """The thing before the dot has no attribute, state or place of this name. Look at the declaration of
    its kind. On the line of a thing, a bare word must be an attribute that is yes or no, or a thing that
    one of the attributes can be.""",
    """
    after combat  §5
        if Northmark.industy > 1
            tell "The forges glow"
    """,
    """
    after combat  §5
        if Northmark.industry > 1
            tell "The forges glow"
    """,
)
_add(
    "RS108",
    "unknown-amendment-target",
    "Unknown choice, clause or rule in an amendment",
    """An amendment changes something that exists, and what this one names does not. It may have been
    renamed in the base rules, or it belongs to an option that has to be named first. A clause is named by
    its citation or its label.""",
    """
    restrict movment.move  §4.2
        require not r.fortress
    """,
    """
    restrict movement.move  §4.2
        require not r.fortress
    """,
)
_add(
    "RS109",
    "unknown-citation",
    "Unknown citation",
    """The game has an index of its rulebook, and this number is not in it. Either the number is mistyped,
    or the index lacks a line. Citations are what players are shown when a move is refused, so it is worth
    getting them right.""",
    """
    restrict movement.move  §4.3
        require not r.fortress
    """,
    """
    restrict movement.move  §4.2
        require not r.fortress
    """,
)
_add(
    "RS110",
    "ambiguous-clause",
    "Ambiguous clause reference",
    """More than one clause answers to this citation, so the exception could lift either. Give the clauses
    labels, or finer citations, and name exactly one of them.""",
    """
    exception to movement.move §4 when r.fortress  §9
    """,
    """
    exception to movement.move "once" when r.fortress  §9
    """,
)
_add(
    "RS111",
    "unknown-option",
    "Unknown option or scenario",
    """The game has no option or scenario of this name. `rulescript games` with the name of the game lists
    what there is. Names are those in the source, not the titles in quotes.""",
    """
    option mud "Mud", excludes trainz  §9
        restrict movement.move
            require r.industry > 0

    option trains "Trains"  §9
        exception to movement.move "once" when r.industry > 1
    """,
    """
    option mud "Mud", excludes trains  §9
        restrict movement.move
            require r.industry > 0

    option trains "Trains"  §9
        exception to movement.move "once" when r.industry > 1
    """,
)
_add(
    "RS112",
    "unknown-base-game",
    "Unknown base game",
    """This game builds on another that cannot be found. A base is named as you would name it to `rulescript
    play`: it comes with the program, or lies in a folder beside this one.""",
    """
    game "My variant"
        builds on salt_and_irn
    """,
    """
    game "My variant"
        by "Ann Author"
    """,
)
_add(
    "RS113",
    "self-link",
    "Link to itself",
    """A link joins a space with itself. Pieces do not move from a place to the same place, so this is
    usually a slip for a neighbour.""",
    """
    map Islands
        link ferry
        Region Skerry
        Region Stonness
        ferry Skerry - Stonness - Stonness
    """,
    """
    map Islands
        link ferry
        Region Skerry
        Region Stonness
        ferry Skerry - Stonness
    """,
)

# ---- RS2xx: types ----------------------------------------------------------------------------------------

_add(
    "RS201",
    "wrong-type",
    "Wrong type",
    """A value of one sort stands where another is needed: a number where a region should be, or a question
    with no yes or no for an answer. The message names both. A condition has to be a yes or a no: compare,
    count, or ask for `some` or `none`.""",
    """
    after combat  §5
        if count(Oldfen.tiles)
            tell "The fen is held"
    """,
    """
    after combat  §5
        if count(Oldfen.tiles) > 0
            tell "The fen is held"
    """,
)
_add(
    "RS202",
    "wrong-argument-count",
    "Wrong number of arguments",
    """The rule was given too many or too few things to work on. The second label shows what it asks
    for.""",
    """
    after combat  §5
        if strength(Oldfen) > 0
            tell "The fen is held"
    """,
    """
    after combat  §5
        if strength(Oldfen, active) > 0
            tell "The fen is held"
    """,
)
_add(
    "RS203",
    "wrong-place",
    "Not a place that can hold this",
    """Pieces are moved to places, and this is not a place, or it is one that does not hold pieces of this
    kind: a hand holds cards, a region holds tiles. The kind's declaration says what it holds.""",
    """
    after combat  §5
        for t in Oldfen.tiles
            move t to League.hand
    """,
    """
    after combat  §5
        for t in Oldfen.tiles
            move t to League.stock
    """,
)
_add(
    "RS204",
    "wrong-argument-type",
    "Wrong argument type",
    """The rule works on one sort of thing and was given another; the message names both. With several
    names in a choice, it is often the neighbour that was meant.""",
    """
    restrict movement.move  §4.2
        require strength(t, active) > 0
    """,
    """
    restrict movement.move  §4.2
        require strength(r, active) > 0
    """,
)
_add(
    "RS205",
    "untested-maybe",
    "Maybe-value used without a test",
    """This may be nothing at all: there is none after the last, a list may be empty, a state may be unset.
    Ask first whether there is one, and use it where the answer was yes. A rulebook leaves that open at its
    peril, and so would the game. What a state was tested for is no longer known once a rule was called, or anything
    else happened, that may set it: keep it under a name right after the test, or test it again.""",
    """
    after combat  §5
        tell "Then {next(active).stock}"
    """,
    """
    after combat  §5
        let other = next(active)
        if other != nothing
            tell "Then {count(other.stock)} tiles of {other}"
    """,
)
_add(
    "RS206",
    "set-used-as-one",
    "A set used as one thing",
    """There may be several, for instance when two nations tie for the most tiles, and the rule treats them
    as one. Say who breaks the tie: let a player choose among them, or do the same for each.""",
    """
    after combat  §5
        let leader = most Side by count(it.stock)
        active = leader
    """,
    """
    after combat  §5
        choose leader in most Side by count(it.stock)
        active = leader
    """,
)
_add(
    "RS207",
    "effect-in-pure-rule",
    "Effect in a pure rule",
    """Functions, values, predicates and tables answer questions, as often as anybody asks, and so may not
    move, roll, choose or change anything. Do that in a phase or a procedure, and let the function say only
    what follows.""",
    """
    value losses(r: Region) -> int  §5
        roll d6 as rolled
        rolled / 2 rounded down

    after combat  §5
        tell "{losses(Oldfen)} lost"
    """,
    """
    procedure fight(r: Region)  §5
        roll d6 as rolled
        tell "{rolled / 2 rounded down} lost in {r}"

    after combat  §5
        fight(Oldfen)
    """,
)
_add(
    "RS208",
    "fixed-attribute-assigned",
    "Fixed attribute assigned",
    """Attributes are printed on the component and stay the same throughout the game. What changes in play
    is declared with `state`.""",
    """
    after combat  §5
        Northmark.industry = 0
    """,
    """
    kind Region: fortress: bool = no, industry: int = 0
        state control: Side = League
        state ruined: bool
        holds tiles: Tile

    after combat  §5
        Northmark.ruined = yes
    """,
)
_add(
    "RS209",
    "missing-attribute-value",
    "Attribute value missing for a thing",
    """The kind says that each of its things has this attribute, and here is one that does not give it. Fill
    it in, or give the kind a usual value. A number the rulebook does not print can be marked
    `reconstructed`. Numbers nobody gives are 0; that is only warned of where a number stands on the line without a
    name, which says how many there are and not what an attribute is.""",
    """
    things
        Card Truce  cost 4
    """,
    """
    things
        Card Truce  Crown, cost 4
    """,
)
_add(
    "RS210",
    "unrounded-division",
    "Division without rounding, or by zero",
    """There are only whole numbers, so a division has to say which way it rounds; rulebooks differ, and
    players ask. A division by something that can be zero needs a test before it.""",
    """
    value half(r: Region) -> int  §3
        strength(r, active) / 0 rounded up

    after combat  §5
        tell "{half(Oldfen)}"
    """,
    """
    value half(r: Region) -> int  §3
        strength(r, active) / 2 rounded up

    after combat  §5
        tell "{half(Oldfen)}"
    """,
)
_add(
    "RS211",
    "mismatched-comparison",
    "Comparison of different types",
    """The two sides are different sorts of things, so the answer would always be the same. Usually an
    attribute is missing on one side. The same is said where one of several values is of another sort than
    the rest.""",
    """
    restrict movement.move  §4.2
        require r == active
    """,
    """
    restrict movement.move  §4.2
        require r.control == active
    """,
)
_add(
    "RS212",
    "missing-result",
    "No result on some path",
    """The rule promises an answer, and in some cases it comes to its end without one. Add an `else`, or a
    last line that holds in all other cases.""",
    """
    value defence(r: Region) -> int  §3
        if r.fortress
            2

    after combat  §5
        tell "{defence(Oldfen)}"
    """,
    """
    value defence(r: Region) -> int  §3
        if r.fortress
            2
        else
            0

    after combat  §5
        tell "{defence(Oldfen)}"
    """,
)
_add(
    "RS213",
    "stored-pieces",
    "Piece set kept",
    """Pieces of a kind are interchangeable: the game knows how many lie where, not which is which. So
    they are always named with the place where they lie, and a set of them can be moved, counted and gone
    through, but not kept for later. Keep the number or the place, or declare a `kind` instead of `pieces`
    if each one matters.""",
    """
    after combat  §5
        for t in Tile[side == active]
            move t to active.stock
    """,
    """
    after combat  §5
        for t in Region.tiles[side == active]
            move t to active.stock
    """,
)
_add(
    "RS214",
    "unknown-piece-phrase",
    "Unknown piece phrase",
    """The words do not describe a piece of this game, or describe several, or there are not so many of it. A piece is
    named as on the counter sheet: a number, then what sets it apart, such as its side, then its type.""",
    """
    before combat  §5
        place 1 League infntry in Saltmere
    """,
    """
    before combat  §5
        place 1 League infantry in Saltmere
    """,
)
_add(
    "RS220",
    "lost-piece",
    "Name has lost its piece",
    """A name for a piece follows it when it is moved or changed through that name, also by a procedure the name is
    handed to. Pieces have no identity of their own, so another name for the same piece cannot follow: it would go on
    to mean some piece that is like the first one was. Go on with the name through which it was done. What never
    changes (its attributes, how many there are in a list) may still be asked of both.""",
    """
    procedure retire(t: Tile)  §5
        move t to t.side.stock

    after combat  §5
        for t in Region.tiles[side == active]
            let same = t
            retire(t)
            same.moved = yes
    """,
    """
    procedure retire(t: Tile)  §5
        move t to t.side.stock

    after combat  §5
        for t in Region.tiles[side == active]
            retire(t)
            t.moved = yes
    """,
)
_add(
    "RS221",
    "piece-given-twice",
    "Piece given twice",
    """A procedure that moves or changes a piece is given the same piece once more, under another parameter, which could
    not follow it. Let the procedure have the piece once; what it needs to know of it besides (its side, where it was)
    can be a parameter of its own.""",
    """
    procedure escort(t: Tile, guard: Tile, r: Region)  §5
        move t to r
        guard.moved = yes

    after combat  §5
        for t in Northmark.tiles[side == active]
            escort(t, t, Saltmere)
    """,
    """
    procedure escort(t: Tile, r: Region)  §5
        move t to r
        t.moved = yes

    after combat  §5
        for t in Northmark.tiles[side == active]
            escort(t, Saltmere)
    """,
)
_add(
    "RS222",
    "piece-replaced",
    "Parameter becomes another piece",
    """Whoever hands a piece to a procedure that moves or changes it goes on with the same piece afterwards. So the
    parameter must stay that piece: another one needs a name of its own.""",
    """
    procedure retire(t: Tile, r: Region)  §5
        t.moved = yes
        t = only(r.tiles)
        move t to t.side.stock

    after combat  §5
        for t in Northmark.tiles[side == active]
            retire(t, Saltmere)
    """,
    """
    procedure retire(t: Tile, r: Region)  §5
        t.moved = yes
        let other = only(r.tiles)
        move other to other.side.stock

    after combat  §5
        for t in Northmark.tiles[side == active]
            retire(t, Saltmere)
    """,
)
_add(
    "RS223",
    "state-out-of-bounds",
    "Number or state out of bounds",
    """`state moved: 0..2` says the lowest and the highest number that a state can be. It must start as one of them, and
    no rule may set it to another; one that does so in play is stopped there, nothing is cut off. Only states have
    bounds. What pieces are told apart by can be a number, yes or no, or one thing.""",
    """
    state supply: 0..6 = 8

    after combat  §5
        supply -= 1
    """,
    """
    state supply: 0..8 = 8

    after combat  §5
        supply -= 1
    """,
)

_add(
    "RS230",
    "kept-either",
    "One of several kinds cannot be kept",
    """A name for several kinds (`either Mover: Army, Unit`) is for parameters: a rule that has one is written out for
    each of the kinds, so at every call it is known which of them it is. What is kept in a state or an attribute, given
    back by a function, gathered in a set or announced by a signal must be of one kind. Name that kind, or keep one
    state for each.""",
    """
    either Owner: Region, Side  §2

    state prize: Owner = Saltmere  §2

    before combat  §5
        prize = Saltmere
    """,
    """
    either Owner: Region, Side  §2

    state prize: Region = Saltmere  §2

    before combat  §5
        prize = Saltmere
    """,
)
_add(
    "RS231",
    "too-many-versions",
    "Too many kinds at once",
    """A rule with parameters that may be of several kinds is written out for each combination of them. Sixteen is the
    limit: two parameters of four kinds each. Let fewer parameters be of several kinds, or name fewer kinds.""",
    """
    either Asset: Region, Side, Tile  §2

    function alike(a: Asset, b: Asset, c: Asset) -> bool  §2
        a is Side and b is Side and c is Side

    before combat  §5
        if alike(Saltmere, League, League)
            tell "Alike."
    """,
    """
    either Asset: Region, Side, Tile  §2

    function alike(a: Asset, b: Asset) -> bool  §2
        a is Side and b is Side

    before combat  §5
        if alike(Saltmere, League)
            tell "Alike."
    """,
)

_add(
    "RS232",
    "shared-effect",
    "Only requirements are shared",
    """Under `all` at the end of a choice stand the requirements that several of its ways have in common. What
    happens when one of them is taken stands under that way; where it is the same for several, write a procedure and
    call it.""",
    """
    procedure guard(r: Region)  §4
        choose hold: t in r.tiles "Hold with {t}"
            r.control = t.side
        or choose leave: t in r.tiles "Leave with {t}"
            r.control = t.side
        or pass
        all
            require t.side == active
            r.control = active

    before combat  §5
        guard(Saltmere)
    """,
    """
    procedure guard(r: Region)  §4
        choose hold: t in r.tiles "Hold with {t}"
            r.control = t.side
        or choose leave: t in r.tiles "Leave with {t}"
            r.control = t.side
        or pass
        all
            require t.side == active

    before combat  §5
        guard(Saltmere)
    """,
)

_add(
    "RS233",
    "standing-of-others",
    "The standing is asked of each player",
    """`standing` says how far ahead each player is, so it takes one player: a thing of the kind that `players` names.
    Teams stand as high as their best: give all of a team the same number.""",
    """
    standing(r: Region) "points"  §2
        1
    """,
    """
    standing(s: Side) "points"  §2
        1
    """,
)
_add(
    "RS234",
    "standing-tells-secrets",
    "The standing would tell a secret",
    """Everybody is shown the standing: on the board, in simulations, and to players who ask. So it may only look at
    what everybody may see. Count what lies open; what a hand is worth is for its owner to reckon.""",
    """
    kind Chit: side: Side
        home bag

    holds bag: Chit, hidden to others

    things
        Chit Foot  League

    standing(s: Side) "chits"  §2
        count(bag[side == s])
    """,
    """
    kind Chit: side: Side
        home bag

    holds bag: Chit

    things
        Chit Foot  League

    standing(s: Side) "chits"  §2
        count(bag[side == s])
    """,
)

_add(
    "RS235",
    "planned-with-others",
    "A choice for each of several stands alone",
    """`choose ...: each u in A to t in B as places` asks for all of them, one after the other. It cannot have `or`
    beside it, be declined with `may`, or be answered by any of several players. Ask first whether it is made.""",
    """
    procedure spread(r: Region)  §4
        choose go: each t in r.tiles to x in Region as places "{t} goes to {x}"
            move t to x
        or pass

    before combat  §5
        spread(Saltmere)
    """,
    """
    procedure spread(r: Region)  §4
        choose go: each t in r.tiles to x in Region as places "{t} goes to {x}"
            move t to x

    before combat  §5
        spread(Saltmere)
    """,
)

_add(
    "RS236",
    "unclear-track",
    "A track without clear fields",
    """A `track` under a map draws a state as a row of fields: of a state with a list of values, those values; of a
    number, all from the first to the last, which must be said. A set, a text, yes or no, or what each piece has, has
    no row.""",
    """
    state points: int  §2

    map Islands  §2
        link ferry
        Region Skerry
        Region Stonness
        ferry Skerry - Stonness
        track points

    before combat  §5
        points += 1
    """,
    """
    state points: int  §2

    map Islands  §2
        link ferry
        Region Skerry
        Region Stonness
        ferry Skerry - Stonness
        track points 0..20

    before combat  §5
        points += 1
    """,
)
_add(
    "RS237",
    "unclear-drawing",
    "A map that cannot be drawn so",
    """Under a map, `coordinates real` says that its spaces lie where they do on the globe: each needs its place, and
    the reference draws land and sea under them. `shapes` names a GeoJSON file with their outlines, `picture` a PNG or
    JPEG with its two corners. Both lie in the game's folder, and each is said once.""",
    """
    map Islands  §2
        link ferry
        coordinates real
        Region Skerry    at 59.1N 3.0W
        Region Stonness
        ferry Skerry - Stonness
    """,
    """
    map Islands  §2
        link ferry
        coordinates real
        Region Skerry    at 59.1N 3.0W
        Region Stonness  at 58.9N 2.8W
        ferry Skerry - Stonness
    """,
)

# ---- RS3xx: the whole game -------------------------------------------------------------------------------

_add(
    "RS301",
    "table-gap",
    "Table has a gap",
    """Some results are covered by no row, so at the table you would look and find nothing. The message
    names them. Add the row, or an `otherwise` row for all the rest. Rows and cells that are missing or
    too many are told here too.""",
    """
    table attack(roll: int) -> Side  §5
        | 1..2 | League |
        | 4..6 | Crown  |

    after combat  §5
        roll d6 as rolled
        Saltmere.control = attack(rolled)
    """,
    """
    table attack(roll: int) -> Side  §5
        | 1..2 | League |
        | 3..6 | Crown  |

    after combat  §5
        roll d6 as rolled
        Saltmere.control = attack(rolled)
    """,
)
_add(
    "RS302",
    "overlapping-rows",
    "Table rows overlap",
    """Two rows claim the same result, and nothing says which wins. Both are shown. Adjust the ranges, or
    put a condition on one of them.""",
    """
    table attack(roll: int) -> Side  §5
        | 1..3 | League |
        | 3..6 | Crown  |

    after combat  §5
        roll d6 as rolled
        Saltmere.control = attack(rolled)
    """,
    """
    table attack(roll: int) -> Side  §5
        | 1..2 | League |
        | 3..6 | Crown  |

    after combat  §5
        roll d6 as rolled
        Saltmere.control = attack(rolled)
    """,
)
_add(
    "RS303",
    "unreachable-row",
    "Table row never reached",
    """Nothing can lead to this row: the rows above take it all. Put the special rows first and `otherwise`
    last, or drop the row.""",
    """
    table attack(roll: int) -> Side  §5
        | 1..3 | League |
        | otherwise | Crown |
        | 6    | League |

    after combat  §5
        roll d6 as rolled
        Saltmere.control = attack(rolled)
    """,
    """
    table attack(roll: int) -> Side  §5
        | 1..3 | League |
        | 6    | League |
        | otherwise | Crown |

    after combat  §5
        roll d6 as rolled
        Saltmere.control = attack(rolled)
    """,
)
_add(
    "RS304",
    "unreachable-phase",
    "Phase never reached",
    """Nothing leads to this phase: it is not in the sequence of play, and no rule calls it. Put it in the
    sequence where it belongs, or remove it.""",
    """
    phase supply "Supply"  §5
        tell "Wagons roll"
    """,
    """
    phase supply "Supply"  §5
        tell "Wagons roll"

    sequence
        place 2 League infantry in Northmark
        place 2 Crown infantry in Oldfen
        for active in Side
            supply
            movement
            combat
        end game, draw
    """,
)
_add(
    "RS305",
    "endless-loop",
    "Loop that can never end",
    """Once begun, this would go on for ever: nobody is offered a way out, and nothing inside changes what
    the loop waits for. Add `or stop`, a condition after `while`, or a `return`.""",
    """
    after combat  §5
        repeat
            choose c in active.hand
            move c to active.hand
    """,
    """
    after combat  §5
        repeat
            choose again: c in active.hand
                move c to active.hand
            or stop "Enough"
    """,
)
_add(
    "RS306",
    "isolated-space",
    "Isolated space",
    """No link leads to or from this space, so nothing can ever walk in or out. Probably a link was
    forgotten. If it is a box beside the map, write `box` before it.""",
    """
    map Islands
        link ferry
        Region Skerry
        Region Stonness
        Region Farholm
        ferry Skerry - Stonness
    """,
    """
    map Islands
        link ferry
        Region Skerry
        Region Stonness
        Region Farholm
        ferry Skerry - Stonness - Farholm
    """,
)
_add(
    "RS307",
    "uncited-rule",
    "Rule without citation",
    """A warning. The rule does not say where in the rulebook it stands, so a player whose move it forbids
    cannot be shown the place. Write the number at the end of the line, or put the rule under a heading
    that has one. Games without an index of their rulebook are not asked for citations.""",
    """
    restrict movement.move
        require not r.fortress

    after combat
        tell "Night falls"
    """,
    """
    restrict movement.move  §4.2
        require not r.fortress

    after combat  §5
        tell "Night falls"
    """,
)
_add(
    "RS308",
    "colliding-amendments",
    "Amendments collide",
    """Two special rules change the same thing, one of them reads or writes what the other writes, and
    nothing says which comes first. Both places are shown. Put `after` and the name of the other option or
    card on one of them, as the rulebook or its author would decide. An option comes after the base by
    itself, a scenario after the options, and within one file the order is as written. Two that only add
    to a number do not collide. Hooks, replaced values, answers to a signal and `whenever` are looked at.""",
    """
    state spoils: int

    option mud "Mud", on  §9
        after combat
            spoils = 0

    option raids "Raids", on  §9
        after combat
            spoils += 2
    """,
    """
    state spoils: int

    option mud "Mud", on  §9
        after combat
            spoils = 0

    option raids "Raids", on  §9
        after combat, after mud
            spoils += 2
    """,
)
_add(
    "RS309",
    "conflicting-options",
    "Options exclude each other",
    """These options cannot be in play together, and the game says they should be: both are on by default,
    or one needs the other. The second label shows where the other is declared.""",
    """
    option short_war "A short war", on, excludes long_war  §9
        after combat
            tell "Home by winter"

    option long_war "A long war", on  §9
        after combat
            tell "Dig in"
    """,
    """
    option short_war "A short war", on, excludes long_war  §9
        after combat
            tell "Home by winter"

    option long_war "A long war"  §9
        after combat
            tell "Dig in"
    """,
)
_add(
    "RS310",
    "missing-required-option",
    "Option needs another",
    """An option that is on by default builds on one that is not, so the game could not be opened as it
    comes. Turn on both, or neither.""",
    """
    option siege "Sieges"  §9
        after combat
            tell "The walls hold"

    option sappers "Sappers", needs siege, on  §9
        after combat
            tell "The walls fall"
    """,
    """
    option siege "Sieges", on  §9
        after combat
            tell "The walls hold"

    option sappers "Sappers", needs siege, on  §9
        after combat
            tell "The walls fall"
    """,
)
_add(
    "RS311",
    "hidden-information-read",
    "Requirement reads what its chooser may not see",
    """Whether the option is open depends on something hidden from the player who chooses, so the list of
    options would give it away. Test something they can see, check later when it is revealed, or, if the
    rulebook really lets them look, write `peeks`. The same goes for how many are to be chosen, and for the
    condition of a reaction or of an `extend`. A state that holds such a thing (`plan = c`, of a card in a
    hand), or a parameter that stands for one, is hidden like it; whether there is one, all may ask. Of what lies
    face down (`hidden when`) they see that it is there and whose it is; look further only at their own, or at
    what does not lie face down.""",
    """
    after combat  §6
        may choose spy: c in (enemy of active).hand "Burn {c}"
            require c.cost < 3
            move c to active.hand
    """,
    """
    after combat  §6
        may choose spy: c in (enemy of active).hand "Burn {c}"
            require c.cost < 3 peeks
            move c to active.hand
    """,
)
_add(
    "RS312",
    "unused-thing",
    "Thing never used",
    """A warning. This is declared and nothing ever uses it. Either a rule that should mention it is missing
    or spells it differently, or it can go. A mention in an option, an example or a prompt is enough. So it is told of
    things that rules take from places where none of them ever comes: most often a `home` is missing.""",
    """
    value bonus(r: Region) -> int  §3
        if r.fortress then 2 else 0
    """,
    """
    value bonus(r: Region) -> int  §3
        if r.fortress then 2 else 0

    adjust strength(r, s) add bonus(r)  §3
    """,
)
_add(
    "RS313",
    "failing-check",
    "Check fails",
    """A `check` states a count or a total of the printed game, and what is declared comes to something
    else. Both numbers are given. One of them is a slip; the box and the counter sheet can tell which.
    Checks are asked before the first move.""",
    """
    check "Tiles in the box"  §2
        count(League.stock) + count(Crown.stock) == 14
    """,
    """
    check "Tiles in the box"  §2
        count(League.stock) + count(Crown.stock) == 12
    """,
)
_add(
    "RS314",
    "endless-recursion",
    "Rule calls itself without end",
    """To answer, or to be done, the rule has to ask or run itself, directly or through others, and there is no case
    in which it stops. The labels follow the circle. Rules that follow each other across the map are better put as a
    `route`. An aside that is offered again while it is being done goes round in the same way; the procedure
    in which it is should be `closed`.""",
    """
    predicate supplied(r: Region)  §3
        require supplied(r) or r.industry > 0

    restrict movement.move  §4.2
        require supplied(r)
    """,
    """
    predicate supplied(r: Region)  §3
        require r.industry > 0 or some r.land[industry > 0]

    restrict movement.move  §4.2
        require supplied(r)
    """,
)
_add(
    "RS315",
    "rule-in-domain",
    "Rule-like filter in a choice's domain",
    """A warning. The filter in the list of candidates looks like a rule of the game: it depends on what
    changes in play. It works, but a player who asks why a move is not allowed will only hear that it is
    not on the list. As a `require` with its citation, the rule can be read back. Keep filters for what
    can be named at all, such as one's own tiles.""",
    """
    after combat  §5
        may choose rally: t in Region.tiles[moved] "Rally {t}"
            move t to t.side.stock
    """,
    """
    after combat  §5
        may choose rally: t in Region.tiles "Rally {t}"
            require t.moved
            move t to t.side.stock
    """,
)
_add(
    "RS316",
    "missing-otherwise",
    "Guarded table needs otherwise",
    """Some rows of the table hold only under a condition. When it fails, the table must still have an
    answer, so it ends with an `otherwise` row.""",
    """
    table attack(roll: int) -> Side  §5
        | 1..3 | League | unless Saltmere.control == Crown
        | 4..6 | Crown  |

    after combat  §5
        roll d6 as rolled
        Saltmere.control = attack(rolled)
    """,
    """
    table attack(roll: int) -> Side  §5
        | 1..3 | League | unless Saltmere.control == Crown
        | otherwise | Crown |

    after combat  §5
        roll d6 as rolled
        Saltmere.control = attack(rolled)
    """,
)
_add(
    "RS317",
    "value-replaced-twice",
    "Value replaced twice",
    """Two special rules each replace the same value outright, and only one can have its way. Both are
    shown. Turn one into an addition, give them conditions that cannot both hold, or let one replace the
    other by name.""",
    """
    adjust strength(r, s) set 5  §9
    adjust strength(r, s) set 6  §3
    """,
    """
    adjust strength(r, s) set 5  §9
    adjust strength(r, s) add 1  §3
    """,
)
_add(
    "RS318",
    "choice-without-way-out",
    "Choice can be empty with no way out",
    """A warning. It can happen that no candidate meets the requirements, and then the player has nothing
    to choose and no way to pass: the choice is skipped. The rulebook usually says what then: add `or` and
    another way out, write `may`, or test first that there is one. If nothing happens then, write so: `choose if
    possible`.""",
    """
    after combat  §5
        choose raze: r in Region
            require not r.fortress
            r.control = active
    """,
    """
    after combat  §5
        choose raze: r in Region
            require not r.fortress
            r.control = active
        or pass "Leave it"
    """,
)
_add(
    "RS319",
    "unknown-thing-in-example",
    "Example names something unknown",
    """The example mentions a space, a piece, a choice or a phase that the game does not have, at least not
    with these options. The example is skipped, since it would test nothing. `rulescript games` with
    `--choices` or `--names` lists what can be named.""",
    """
    example "A quiet front"  §5
        given empty
            Nothmark: 2 League infantry
        expect
            count(Northmark.tiles) == 2
    """,
    """
    example "A quiet front"  §5
        given empty
            Northmark: 2 League infantry
        expect
            count(Northmark.tiles) == 2
    """,
)
_add(
    "RS320",
    "true-from-the-start",
    "A `whenever` that is so from the start",
    """A warning. A `whenever` happens when its condition becomes true. This one is true before the set-up and still is
    when the first decision is asked: it has not become true, so nothing happens until it was false once. If it is
    meant to hold from the start, say what follows in a phase; if not, the condition has a slip.""",
    """
    state morale: int

    whenever morale <= 3  §5
        end game, Crown wins
    """,
    """
    state morale: int = 9

    whenever morale <= 3  §5
        end game, Crown wins
    """,
)

_add(
    "RS321",
    "thing-does-nothing",
    "Thing without what it does",
    """A warning. Things of this kind do something when they are used, and this one says only in words what, or has
    been left out among others that all do something. Write under it what happens. If nothing happens, say so with
    `nothing` after the name of what it does.""",
    """
    kind Event: year: int
        does happen(s: Side)

    things
        Event Storm  year 1914
            "The fleet is scattered."

    after combat  §5
        for e in Event
            e.happen(active)
    """,
    """
    kind Event: year: int
        does happen(s: Side)

    things
        Event Storm  year 1914
            "The fleet is scattered."
            happen
                tell "The fleet is scattered"

    after combat  §5
        for e in Event
            e.happen(active)
    """,
)

_add(
    "RS322",
    "unreached-statement",
    "Play never comes to this",
    """A warning. The lines above always end the game, or leave by `return` or `stop`, so that what stands below them
    never happens. Probably an `if` is missing over what ends the game, or the lines are in the wrong order. It is
    told, too, of what comes after or lasts for each turn of a state that no `for` goes through.""",
    """
    after combat  §5
        end game, League wins "at last"
        for r in Region
            r.control = active
    """,
    """
    after combat  §5
        for r in Region
            r.control = active
        if every r in Region: r.control == active
            end game, League wins "at last"
    """,
)

_add(
    "RS323",
    "oversized-rules",
    "The rules are too many once they are written out",
    """When a game is compiled, a phase is written wherever it stands, a look at each `whenever` after each statement
    that changes what it reads, and what things do wherever one of them does it. Phases that hold phases several times,
    or very many rules that look at the same, multiply; beyond a limit that no printed game comes near, the game is
    refused. What happens in several places belongs into a procedure: that is written once.""",
    """
    phase day
        hour
        hour
        hour

    phase month
        day
        day
        day
    """,
    """
    state hours: int

    procedure hour()  §5
        hours += 1

    procedure day()  §5
        repeat 3 times
            hour()

    after combat  §5
        repeat 3 times
            day()
    """,
)

_add(
    "RS325",
    "name-given-anew",
    "A name is made anew inside a block",
    """A `let` inside a loop, an `if` or a choice makes a name of its own, which ends with that block. If one of the
    same name stands above and is read again, it was most likely meant to change: write the change without `let`. What a
    roll or draw is called with `as` is a name of its own in the same way.""",
    """
    after combat  §5
        let lost = 0
        for r in Region
            let lost = lost + r.industry
        if lost > 9
            end game, League wins "worn out"
    """,
    """
    after combat  §5
        let lost = 0
        for r in Region
            lost += r.industry
        if lost > 9
            end game, League wins "worn out"
    """,
)

_add(
    "RS330",
    "failing-claim",
    "Claim does not hold",
    """An example was played, or a check worked out, and what it says is not so. The message says what was
    expected and what was found; for a choice that cannot be made, which rules are against it and which
    options there were. Either the rules or the claim must change.""",
    """
    example "A gun and an infantry remain"
        given empty
            Northmark: 2 League infantry
        expect
            Northmark has 1 League infantry
    """,
    """
    example "Two infantry remain"
        given empty
            Northmark: 2 League infantry
        expect
            Northmark has 2 League infantry
    """,
)
_add(
    "RS331",
    "unreadable-example",
    "Example cannot be read",
    """A line of an example has none of the forms such lines can have. An example begins with `given`, and
    under `play` and `expect` says what happens and what must follow; a line of play begins with who does it
    and a colon, or with `dice`, `draw`, `shuffle`, `asks`, `never asks` or `run to`.""",
    """
    example "A quiet front"
        given empty, at movement
        play
            move infantry to Northmark
    """,
    """
    example "A quiet front"
        given empty, at movement
        play
            League: move infantry to Northmark
    """,
)

_add(
    "RS332",
    "impossible-position",
    "Position breaks an invariant",
    """An example begins with the set-up of the game or of a scenario and changes it so that an `always` invariant
    of the game does not hold any more: play could never get there. With `given empty` a part of the board may be
    laid out alone; `rulescript check --positions` lists those positions that break an invariant.""",
    """
    invariant "Points are never negative", always
        every s in Side: s.vp >= 0

    example "A bad start"
        given setup
            League: vp -3
        expect
            League.vp == -3
    """,
    """
    invariant "Points are never negative", always
        every s in Side: s.vp >= 0

    example "A bad start"
        given setup
            League: vp 0
        expect
            League.vp == 0
    """,
)

_add(
    "RS333",
    "empty-claim",
    "A claim that says nothing",
    """An invariant, a check or a line of an example holds whatever the rules do: it compares a thing with itself, or
    numbers that are written there, counts at least nothing, or says that something is so or is not so. Or an example
    assumes what nothing in it asks for, or asks for nothing but what it assumes. Such a line passes for a test, and
    would go on passing when a rule is broken. Say what must have come about instead, or take it away.""",
    """
    invariant "A region holds no less than nothing", always
        every r in Region: count(r.tiles) >= 0
    """,
    """
    invariant "A region holds no more than four", always
        every r in Region: count(r.tiles) <= 4
    """,
)

_add(
    "RS345",
    "hidden-words",
    "Words tell something hidden",
    """The words of an option have a value in braces that is worked out from something hidden from the player who is
    offered it: whoever reads the options would know it. Or words that everybody reads name such a thing: those of
    `end game`, a text that a state holds, and in a `tell` a text that was made before (`let x = "{c}"`) or that a
    function gives. Say something that they can see, or nothing; a `tell` with the thing itself in braces names it to
    those who may know it.""",
    """
    after combat  §6
        may choose press: r in Region "Press {r} against {count((enemy of active).hand[cost > 2])} dear cards"
            r.control = active
    """,
    """
    after combat  §6
        may choose press: r in Region "Press {r} against {count((enemy of active).hand)} cards"
            r.control = active
    """,
)

_add(
    "RS346",
    "secret-on-a-piece",
    "A piece would show something hidden",
    """Who sees a piece sees its states, and pieces in another state are another option for everybody. So none of its
    states can be a thing that is not for all to know, such as a card in a hand. A single thing may have such a state:
    what it holds is told only to those who may know that.""",
    """
    holds depot: Wagon

    pieces Wagon: side: Side
        state load: maybe Card
        home depot

    things
        Wagon Cart  League, 2

    after combat  §6
        may choose pack: c in active.hand, w in depot "Pack {c} into {w}"
            w.load = c
    """,
    """
    holds depot: Wagon

    kind Wagon: side: Side
        state load: maybe Card
        home depot

    things
        Wagon Cart  League

    after combat  §6
        may choose pack: c in active.hand, w in depot "Pack {c} into {w}"
            w.load = c
    """,
)

_add(
    "RS347",
    "telling-question",
    "Asking tells which thing it is",
    """A warning. Something does what its text says while others may not know which thing it is. What the text asks is
    not told to them in its words; but that somebody is asked, they see, and of these things some ask and others do
    not. Show the thing before it does anything, or let each of them ask: out of sight a question is asked even if there
    is one answer to it or none. Or a loop, or a choice for each of several, goes through things that lie unknown in
    several places: a set is gone through in declared order, so by where somebody is asked, or something moves, others
    can tell where the first of them lies. Go through the places, and under it through what lies in each.""",
    """
    kind Card: owner: Side, cost: int
        home owner.hand
        does play(s: Side)

    state score: int

    things
        Card Bribe  League, cost 2
            play
                may by s: strike "Strike"
                    score += 1
        Card Rumour  League, cost 3
            play
                score -= 1

    after combat  §6
        may choose plot: c in active.hand "Plot"
            c.play(active)
    """,
    """
    kind Card: owner: Side, cost: int
        home owner.hand
        does play(s: Side)

    state score: int

    things
        Card Bribe  League, cost 2
            play
                may by s: strike "Strike"
                    score += 1
        Card Rumour  League, cost 3
            play
                may by s: go_on "Go on"
                    score -= 1

    after combat  §6
        may choose plot: c in active.hand "Plot"
            c.play(active)
    """,
)

_add(
    "RS348",
    "idle-players",
    "One player makes every choice",
    """A loop goes through the players, and a choice in it does not say by whom: it is made by `active`, which nothing
    ever sets, so it is the same player each time. Let the loop set it, or say who chooses.""",
    """
    sequence
        for s in Side
            movement
            combat
        end game
    """,
    """
    sequence
        for active in Side
            movement
            combat
        end game
    """,
)

# ---- RS9xx: our own faults -------------------------------------------------------------------------------

_add(
    "RS901",
    "internal-error",
    "A fault of ours",
    """This is a mistake in rulescript and not in your rules. The place shown is what was being worked on
    when it happened. Please send us the file and the message, or as small a piece of the file as still
    shows it, so that we can put it right; changing the lines around the place may get you past it
    meanwhile.""",
)
