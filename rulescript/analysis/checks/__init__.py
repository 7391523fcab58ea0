"""Questions about the whole game, one per file, each named for the bad thing it looks for.

The checked model of one composed game comes in (it has no errors so far); reports go out. None of them
changes the model. `failed_checks` and `conditions_from_the_start` are exceptions in time: they need the compiled game,
and so run after compiling.
"""

from __future__ import annotations

from rulescript.analysis.checks.aside_within_itself import check_asides_within_themselves
from rulescript.analysis.checks.colliding_amendments import check_colliding_amendments
from rulescript.analysis.checks.dead_end_choice import check_dead_end_choices
from rulescript.analysis.checks.empty_claim import check_empty_claims
from rulescript.analysis.checks.endless_loop import check_endless_loops
from rulescript.analysis.checks.endless_recursion import check_endless_recursion
from rulescript.analysis.checks.hidden_information import check_hidden_information
from rulescript.analysis.checks.idle_players import check_idle_players
from rulescript.analysis.checks.isolated_space import check_isolated_spaces
from rulescript.analysis.checks.lost_piece import check_lost_pieces
from rulescript.analysis.checks.missing_option import check_default_options
from rulescript.analysis.checks.name_given_anew import check_names_given_anew
from rulescript.analysis.checks.never_in_play import check_things_never_in_play
from rulescript.analysis.checks.oversized_pieces import check_oversized_pieces
from rulescript.analysis.checks.oversized_rules import check_oversized_rules
from rulescript.analysis.checks.question_of_a_hidden_thing import check_questions_of_hidden_things
from rulescript.analysis.checks.roll_off_the_table import check_rolls_off_tables
from rulescript.analysis.checks.rule_in_domain import check_rules_in_domains
from rulescript.analysis.checks.secret_in_a_text import check_secrets_in_texts
from rulescript.analysis.checks.silent_thing import check_silent_things
from rulescript.analysis.checks.standing_secret import check_standing
from rulescript.analysis.checks.telling_order import check_telling_orders
from rulescript.analysis.checks.turn_without_loop import check_turns_without_loops
from rulescript.analysis.checks.uncited_rule import check_uncited_rules
from rulescript.analysis.checks.unclear_drawing import check_drawings
from rulescript.analysis.checks.unknown_citation import check_citations
from rulescript.analysis.checks.unreachable_phase import check_unreachable_phases
from rulescript.analysis.checks.unreached_statement import check_unreached_statements
from rulescript.analysis.checks.unused import check_unused
from rulescript.analysis.looking import looking_through
from rulescript.diagnostics import Reporter
from rulescript.model.game import Game

__all__ = ["check_default_options", "check_game", "check_places"]


def check_places(game: Game, reporter: Reporter) -> None:
    """What is wrong in single places also of a game with other errors; the rest is about the whole."""
    check_citations(game, reporter)


def check_game(game: Game, reporter: Reporter) -> None:
    """Run every check."""
    with looking_through():
        _check_all(game, reporter)


def _check_all(game: Game, reporter: Reporter) -> None:
    check_default_options(game.all_options, reporter)
    check_oversized_pieces(game, reporter)
    check_oversized_rules(game, reporter)
    check_lost_pieces(game, reporter)
    check_citations(game, reporter)
    check_uncited_rules(game, reporter)
    check_unreachable_phases(game, reporter)
    check_unreached_statements(game, reporter)
    check_turns_without_loops(game, reporter)
    check_names_given_anew(game, reporter)
    check_unused(game, reporter)
    check_things_never_in_play(game, reporter)
    check_silent_things(game, reporter)
    check_idle_players(game, reporter)
    check_empty_claims(game, reporter)
    check_rolls_off_tables(game, reporter)
    check_endless_loops(game, reporter)
    check_endless_recursion(game, reporter)
    check_asides_within_themselves(game, reporter)
    check_isolated_spaces(game, reporter)
    check_drawings(game, reporter)
    check_colliding_amendments(game, reporter)
    check_hidden_information(game, reporter)
    check_secrets_in_texts(game, reporter)
    check_questions_of_hidden_things(game, reporter)
    check_telling_orders(game, reporter)
    check_standing(game, reporter)
    check_rules_in_domains(game, reporter)
    check_dead_end_choices(game, reporter)
