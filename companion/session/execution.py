"""What each command does: checked against how the table stands, then written into a transaction."""

from __future__ import annotations

from typing import assert_never

from companion.events.table_events import Fate
from companion.model.game import still_to_lay
from companion.model.snapshot import Who
from companion.session import clock_commands, stocktake, table_commands
from companion.session.commands import (
    Abandon,
    AddWords,
    Agree,
    AllReady,
    Answer,
    ClockCommand,
    Command,
    EveningCommand,
    Extend,
    Go,
    Hold,
    Inventory,
    Leave,
    LeaveOpen,
    LineCommand,
    Mend,
    Move,
    Pause,
    Ready,
    Resume,
    Return,
    SetPace,
    StocktakeCommand,
    Switch,
    Undo,
    Versioned,
)
from companion.session.table_commands import Heard
from companion.session.transaction import COMPANION, Transaction

Going = Versioned | Answer
"""What plays on: refused while the game stands still."""


def execute(transaction: Transaction, command: Command, who: Who, version: int | None, heard: Heard) -> None:
    """Write into *transaction* what *command* does, or raise `Malformed`, `Refused` or `MovedOn`."""
    if isinstance(command, Versioned):
        table_commands.check_version(transaction.play, version)
    if isinstance(command, Extend):
        table_commands.check_newest(transaction.play, version)
    if isinstance(command, Going):
        table_commands.check_going(transaction.play)
    match command:
        case Move() | Undo() | Answer():
            _line(transaction, command, who, heard)
        case Ready() | AllReady() | Extend() | Hold() | Go() | SetPace():
            _clock(transaction, command, who)
        case Agree() | Inventory() | LeaveOpen() | Mend():
            _stocktake(transaction, command, who)
        case Pause() | Resume() | Abandon() | Leave() | Return() | Switch() | AddWords():
            _evening(transaction, command, who)
        case _:
            assert_never(command)


def _line(transaction: Transaction, command: LineCommand, who: Who, heard: Heard) -> None:
    match command:
        case Move(line):
            transaction.line(line, who)
            clock_commands.turn_over(transaction, COMPANION)
        case Undo(reason):
            table_commands.undo(transaction, who, reason, heard)
        case Answer(question, chosen):
            table_commands.answer(transaction, question, chosen, who)
        case _:
            assert_never(command)


def _clock(transaction: Transaction, command: ClockCommand, who: Who) -> None:
    match command:
        case Ready(seat):
            clock_commands.ready(transaction, (seat,), who)
        case AllReady():
            clock_commands.ready(transaction, still_to_lay(transaction.play.game, transaction.play.state), who)
        case Extend(ms):
            clock_commands.extend(transaction, ms, who)
        case Hold():
            clock_commands.hold(transaction, who)
        case Go():
            clock_commands.go(transaction, who)
        case SetPace(pace):
            clock_commands.pace(transaction, pace, who)
        case _:
            assert_never(command)


def _stocktake(transaction: Transaction, command: StocktakeCommand, who: Who) -> None:
    match command:
        case Agree(left):
            stocktake.agree(transaction, left, who)
        case Inventory(left, stations):
            stocktake.count(transaction, left, stations, who)
        case LeaveOpen(left):
            stocktake.leave_open(transaction, left, who)
        case Mend(left, cause):
            stocktake.mend(transaction, left, cause, who)
        case _:
            assert_never(command)


def _evening(transaction: Transaction, command: EveningCommand, who: Who) -> None:
    match command:
        case Pause():
            table_commands.pause(transaction, who)
        case Resume():
            table_commands.resume(transaction, who)
        case Abandon(reason):
            table_commands.abandon(transaction, reason, who)
        case Leave(seat):
            table_commands.leave(transaction, seat, who)
        case Return(seat):
            table_commands.return_(transaction, seat, who)
        case AddWords(words):
            table_commands.say_to_the_seed(transaction, words, who)
        case Switch():
            transaction.add(Fate.SWITCHED, who)  # on the game that was taken up for it
        case _:
            assert_never(command)
