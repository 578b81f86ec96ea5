"""A player's phone: what it shows at each step, and what it hides."""

from __future__ import annotations

import re

from tests.web.games.andromeda.room import Page, Room


class Phone:
    """A phone that has joined a seat of *room* with the PIN that the host's page shows."""

    def __init__(self, room: Room, seat: str) -> None:
        pin = re.search(r'class="digits">(\d{6})<', room.client.get("/join").get_data(as_text=True))
        assert pin is not None
        self.client = room.app.test_client()
        page = Page(self.client.get(f"/join?pin={pin[1]}").get_data(as_text=True))
        tap = next(tap for tap in page.taps if tap.fields and tap.fields.get("seat") == seat)
        self.client.post(tap.address, data=tap.fields)

    def look(self, address: str = "/table") -> Page:
        """Open a page."""
        return Page(self.client.get(address, follow_redirects=True).get_data(as_text=True))

    def tap(self, words: str, address: str = "/table") -> Page:
        """Tap a button on the page at *address*, and return the page it leads to."""
        tap = self.look(address).find(words)
        answer = self.client.post(tap.address, data=tap.fields, follow_redirects=True)
        return Page(answer.get_data(as_text=True))


def test_each_phone_counts_its_own_set_up_cards(room: Room) -> None:
    """Set-up: a phone shows only its own cards, even if its URL names another seat that is still to be counted."""
    page = Phone(room, "green").look("/table?seat=red")

    assert "Cem's cards" in page.text
    assert not [tap for tap in page.taps if "Ana" in tap.words]


def test_a_phone_says_whose_turn_it_is(room: Room) -> None:
    """The band says "Your turn" if the table waits for this player, otherwise the name of the player on the move."""
    room.in_actions()

    assert "Your turn, Ana" in Phone(room, "red").look().text
    assert "Ana's turn" in Phone(room, "blue").look().text


def test_a_hand_is_shown_to_nobody_else(room: Room) -> None:
    """The hand: a player's own credits are shown on the player's phone only, not on others or on the tablet."""
    room.in_actions().do("correct", player="red", reason="try", bonus={"gold": 2})

    assert "In your hand: 2 gold credits" in Phone(room, "red").look().text
    assert "gold credits" not in Phone(room, "blue").look().text.replace("gold credits corrected", "")
    assert "2 gold credits" not in room.look("/table").text


def test_an_action_is_played_from_the_phone(room: Room) -> None:
    """Actions: the set is picked and the turn ended on the player's phone; other seats are redirected."""
    room.in_actions()
    red = Phone(room, "red")
    red.tap("Play", "/table/act/establish?planet=p1")

    assert room.state.attempt is not None
    assert "3 of 12 are yours" in red.look().text
    assert "3 of 12 are Ana's" in room.look("/table").text
    assert "Ana draws" in Phone(room, "blue").look("/table/act/exchange").text


def test_the_band_stays_from_the_first_tap_to_the_result(room: Room) -> None:
    """The band has the player's colour while choosing a set, during the attempt, and above the attempt's result."""
    room.in_actions()
    red = Phone(room, "red")
    shown = [red.look().html, red.look("/table/act/establish?planet=p1").html]

    room.attempt()
    shown.append(red.look().html)
    room.do("draw", colour="red")
    shown.append(red.look().html)

    titles = ("Your turn, Ana", "Your turn, Ana", "You at Ringworld", "Your turn, Ana")
    assert [title in page and 'class="band red"' in page for title, page in zip(titles, shown, strict=True)] == [
        True
    ] * 4


def test_two_cards_and_a_credit_are_enough_for_an_action(room: Room) -> None:
    """Actions: with two planet cards and a credit in hand an action is enabled, and the credit completes the set."""
    room.in_actions().do("correct", player="red", reason="x", bonus={"diamond": 1})
    room.do("correct", player="red", reason="x", hand=3)
    red = Phone(room, "red")
    offered = [deed.words for deed in red.look().taps if not deed.off]

    red.tap("Play 3 Twins", "/table/act/technology?jokers=diamond")

    assert any(words.startswith("Technology") for words in offered)
    assert room.last["jokers"] == ["diamond"]


def test_transport_is_one_tap_on_the_phone(room: Room) -> None:
    """Transport: on their own phone, a player keeps the card or plays it."""
    room.set_up()
    Phone(room, "red").tap("No transport")
    Phone(room, "blue").tap("Two stations from Earth to Twins")

    assert room.last["player"] == "blue"
    assert room.last["planet"] == "p2"


def test_a_card_is_laid_or_named_and_nobody_reads_it(room: Room) -> None:
    """Trading: a face-down card is named only on its owner's phone; the history just says that a card was played."""
    room.in_trading().do("lay", player="red", card="p1")
    blue = Phone(room, "blue")
    assert blue.look("/table?name=1").rests("Ringworld")
    blue.tap("Twins", "/table?name=1")

    assert "On the table Twins" in blue.look().text
    story = room.look("/games/1/replay").html.partition("data-lines")[2].partition("</ol>")[0]
    assert "Ben plays a card" in story
    assert "Twins" not in story
    assert "Waiting for Dora" in Phone(room, "green").tap("I've played").text


def test_a_card_can_still_be_named_after_it_is_said_to_be_played(room: Room) -> None:
    """Answering: while others are still choosing, phone and tablet still let a player name a card already played."""
    room.in_trading().do("lay", player="red", card="p1")
    blue = Phone(room, "blue")
    blue.tap("I've played")
    offered = [tap.words for tap in room.look("/table").taps]

    blue.tap("Twins", blue.look().find("Name my card").address)

    assert "Name it Name Ben's card" in offered
    assert room.last == {"do": "lay", "player": "blue", "card": "p2"}


def test_undo_stands_where_it_is_ones_own(room: Room) -> None:
    """Undo: a phone offers to undo its own line; on other phones the button is disabled."""
    room.set_up()
    red, blue = Phone(room, "red"), Phone(room, "blue")
    red.tap("No transport")

    assert red.look().find("Undo the last step")
    assert blue.look().rests("Nothing to undo")


def test_corrections_stay_at_the_table(room: Room) -> None:
    """Corrections: a phone says who can correct a hand, and offers no correction itself."""
    room.in_actions()
    red = Phone(room, "red")

    assert "Change the board" in red.look().text
    assert not [tap for tap in red.look("/table/correct").taps if tap.fields and "line" in tap.fields and not tap.off]


def test_a_phone_strikes_what_cant_be_played(room: Room) -> None:
    """Answering: the phone lists the leader's cards as forbidden, and disables them where a card is picked."""
    blue = Phone(room.in_trading().do("lay", player="red", card="p1"), "blue")

    asked, picking = blue.look(), blue.look("/table?name=1")

    assert "Can't be played Ringworld" in asked.text
    assert "Can't be played" not in picking.text
    assert next(tap.words.split()[0] for tap in picking.taps if tap.off) == "Ringworld"
    assert "I've played" not in picking.text


def test_a_seat_reads_a_rule_in_two_taps_and_is_back_with_a_third(room: Room) -> None:
    """Help: from a seat's board two taps lead to the rule of technology, and its Close link leads back to the board."""
    phone = Phone(room.in_actions(), "red")
    help_sheet = phone.look(phone.look("/table").find("Help").address)

    rule = phone.look(help_sheet.find("Technology").address)

    assert "Each level costs exactly three" in rule.text
    assert rule.find("Close").address == "/table"
