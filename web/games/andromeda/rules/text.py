"""The rules in our own words: one short card for each phase and action, for whoever has to look something up."""

from __future__ import annotations

from dataclasses import dataclass

from web.http.i18n import lazy


@dataclass(frozen=True)
class RulesCard:
    """One card: its title, a picture's name, what it says in sentences, and the rulings a table may have changed."""

    name: str
    title: str
    picture: str
    says: tuple[str, ...]
    rulings: tuple[str, ...] = ()


CARDS = (
    RulesCard(
        "round",
        lazy("A round"),
        "board",
        (
            lazy("Everybody fills the hand: cards."),
            lazy("Everybody may fly once around: transport."),
            lazy("Cards change hands without a word: trading."),
            lazy("Then come the actions: three for the starting player, two for everyone else."),
            lazy("Next round, the player to the left starts."),
        ),
    ),
    RulesCard(
        "setup",
        lazy("Set-up"),
        "board",
        (
            lazy("Some stations wait on Earth, and some stand on each planet from the beginning."),
            lazy("Everybody turns cards over: each puts one station on its planet."),
            lazy("Then all cards are shuffled, and everybody gets nine."),
        ),
    ),
    RulesCard(
        "cards",
        lazy("Cards"),
        "cards",
        (
            lazy("Fill every hand up to the limit of its ship."),
            lazy("Bonus credits are cards of the hand too."),
            lazy("When the supply runs out, shuffle the discards and go on."),
        ),
    ),
    RulesCard(
        "transport",
        lazy("Transport"),
        "transport",
        (
            lazy("From the starting player on, each may play one transport card or keep it."),
            lazy("Out: two of your stations fly from Earth to one planet."),
            lazy("Home: all your stations on one planet fly to Earth, those on centres stay."),
            lazy("You have two such cards for the whole game, and it costs no action."),
        ),
        ("transport_as_action",),
    ),
    RulesCard(
        "lay",
        lazy("Trading: laying cards"),
        "no-card",
        (
            lazy("Quiet now: nobody talks about trades, before or during it."),
            lazy("The starting player lays a card open."),
            lazy("Everyone else lays one face down, different from all the starting player's; all turn over together."),
            lazy("So it goes for a second card, and a third if the starting player likes; a fourth with technology 2."),
            lazy("Whoever has no allowed card shows the hand, takes everything back and sits out."),
        ),
        ("trade_record",),
    ),
    RulesCard(
        "swap",
        lazy("Trading: swapping sets"),
        "exchange",
        (
            lazy("The starting player has to swap the whole set with somebody, and nobody may refuse."),
            lazy("The other one keeps the new cards, or leaves them on the table to be swapped on."),
            lazy("Clockwise, whoever still has a set takes it back or swaps it with another one."),
            lazy("It is over when fewer than two sets are left."),
        ),
        ("trade_record",),
    ),
    RulesCard(
        "exchange",
        lazy("Exchange cards"),
        "exchange",
        (
            lazy("Put one or two planet cards away and draw as many."),
            lazy("From technology 3 on it may be three."),
            lazy("Bonus credits cannot be exchanged."),
        ),
    ),
    RulesCard(
        "move",
        lazy("Move stations"),
        "move",
        (
            lazy("Play three to seven cards of one planet; credits fill in as jokers beside at least one real card."),
            lazy("Every two cards bring one of your stations from Earth to that planet."),
            lazy("You may move fewer, even none, if only the bonus credit tempts you."),
        ),
        ("tech4_rounds_up",),
    ),
    RulesCard(
        "establish",
        lazy("Establish a centre"),
        "establish",
        (
            lazy("Play three to seven cards of a planet where you have a station and a centre is free."),
            lazy("Put the ring over all stations there. Every two cards give one draw; technology 4 rounds up."),
            lazy("Your own colour comes out: it takes the best free centre, and the action is over."),
            lazy("Another colour comes out: it flies home to its owner's Earth, and you draw on while draws are left."),
        ),
        ("double_exit", "may_stop_drawing", "tech4_rounds_up", "virtual_ring", "show_odds"),
    ),
    RulesCard(
        "ship",
        lazy("Bigger ship"),
        "ship",
        (
            lazy("Exactly three, four and then six cards of one planet bring your ship one level up."),
            lazy("It carries nine cards at first, then ten, eleven and thirteen."),
        ),
        ("allow_overpay",),
    ),
    RulesCard(
        "technology",
        lazy("Technology"),
        "technology",
        (
            lazy("Exactly three, four and then five cards of one planet bring you one level up."),
            lazy("Level 2: you may lay a fourth card as the starting player. It counts 1 point."),
            lazy("Level 3: you may exchange three cards. It counts 3 points."),
            lazy("Level 4: half a set is rounded up for draws. It counts 6 points."),
        ),
        ("tech4_rounds_up", "allow_overpay"),
    ),
    RulesCard(
        "credits",
        lazy("Bonus credits"),
        "plus",
        (
            lazy("A set without jokers earns a credit too: four cards silver, five gold, six platinum, seven diamond."),
            lazy("Silver counts 2 points at the end, gold 3, platinum 4, diamond 5."),
            lazy("A credit may stand in for a card as a joker; it goes back to its pile then."),
            lazy("When a pile is empty, there is nothing instead."),
        ),
        ("show_bonus_credits",),
    ),
    RulesCard(
        "score",
        lazy("The end and the score"),
        "tick",
        (
            lazy("When a third planet has all its centres taken, this round is played to its end, and that is it."),
            lazy("Count the values of your centres, one point for each station on Earth, technology and credits."),
            lazy("A tie goes to the higher technology, then to the bigger ship; after that it is shared."),
        ),
        ("show_bonus_credits",),
    ),
)
BY_NAME = {card.name: card for card in CARDS}
