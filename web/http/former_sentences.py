"""Sentences that ledgers hold as they were once worded, and how they are worded now."""

from __future__ import annotations

from collections.abc import Mapping

NOW: Mapping[str, str] = {
    "Ringed": "Ringworld",
    "Twin": "Twins",
    "Striped": "Stripes",
    "Cratered": "Craters",
    "Frosted": "Frost",
    "No attempt is open: nothing is drawn now.": "No attempt is on: there's nothing to draw for.",
    "At this table two that leave at once both go back: none stays out.": ("Two at once both go back at this table."),
    "One of the two stays out: say which one the lot chose.": "One of the two counts: say which one was picked.",
    "Draws are not given up at this table.": "No giving up draws at this table.",
    "%(name)s holds the ring.": "It's %(name)s's attempt.",
    "There is no second %(colour)s station under the ring on %(planet)s.": (
        "There's no second %(colour)s station under the ring on %(planet)s."
    ),
    "There is no %(colour)s station under the ring on %(planet)s.": (
        "There's no %(colour)s station under the ring on %(planet)s."
    ),
    "The ring is out: finish the draws first.": "Finish the draws first.",
    "It is %(name)s's turn.": "It's %(name)s's turn.",
    "Actions come after the trading.": "Actions come after trading.",
    "There is nothing to take back.": "There's nothing to undo.",
    "Only a late station can be the one that was typed in.": "Only a late cube can already be typed in.",
    "Say why the game is given up.": "Say why the game is abandoned.",
    "This game is over already.": "This game is already over.",
    "The table knows already that %(seat)s has left.": "%(seat)s has already left.",
    "%(seat)s has not left.": "%(seat)s hasn't left.",
    "A station really left the ring. Say why it does not count: misread, knocked over or not a draw.": (
        "A cube left the ring. Say why it doesn't count: misread, knocked over or not a draw."
    ),
    "%(reason)s is no reason to take a draw back: %(words)s.": (
        "%(reason)s is no reason to undo a draw. Choose one of: %(words)s."
    ),
    "There is no game on the table.": "There's no game on the table.",
    "Say how many %(colour)s stations lie there: a whole number from 0 to %(most)s.": (
        "Enter how many %(colour)s stations are there: 0 to %(most)s."
    ),
    "There is no copy called %(name)s.": "There's no copy called %(name)s.",
    "A station looked out and went back: no draw.": "A cube peeked out and went back. Not a draw.",
    "Something touched the gate, but nothing came out: no draw.": "Something touched the gate. Not a draw.",
    "Help it out or back, then say what it was.": "Free it, then say what it was.",
    "Look whether stations got out, and put them back.": "Put back any cubes that got out.",
    "Look whether stations got out underneath, and put them back.": "Put back any cubes that slipped out.",
    "There is too much light on the gate to see colours.": "Too much light on the gate to see colours.",
    "The ring's eye is dazzled.": "The ring's sensor is dazzled.",
    "Shade the ring, or turn its lamp down.": "Shade the ring, or dim its lamp.",
    "Wipe it, and the white of the gate too.": "Wipe it, and the white inside the gate.",
    "The colour is none that the ring knows.": "The ring doesn't recognise this colour.",
    "Two colours fit what the ring saw.": "The ring saw one of two colours.",
    "The ring could not see the colour at all.": "The ring couldn't see the colour.",
    "The ring has not learnt these colours yet.": "The ring hasn't learnt these colours yet.",
    "Say what it was; calibrate the ring before the next game.": (
        "Say what it was. Teach the ring before the next game."
    ),
    "The ring saw a colour of which none lies under it.": "The ring saw a colour that isn't under it.",
    "A station is told of late, after draws were typed in.": (
        "The ring reports a cube late, after you typed draws in."
    ),
    "Say whether it is one of those.": "Say if it's one of those.",
    "The ring cannot be heard.": "The ring is silent.",
    "Look at its cable; draws can be typed in meanwhile.": "Check its cable. You can type draws in.",
    "The ring has started anew.": "The ring restarted.",
    "Look whether a draw was missed, and type it in.": "If a draw is missing, type it in.",
    "The ring's eye for colours does not answer.": "The ring's colour sensor doesn't answer.",
    "Stations are still counted: say what each one was.": "It still counts. Say what each cube was.",
    "A beam of the gate does not see.": "A beam in the gate is blind.",
    "Take out what is in the gate; until then, type draws in.": "Clear the gate. Until then, type draws in.",
    "The ring could not remember everything while nobody heard it.": (
        "The ring's memory was full while it was disconnected."
    ),
    "Compare the draws with the table, and type in what is missing.": (
        "Compare draws with the table. Type in what's missing."
    ),
    "A station came out, but nothing could be read of it.": "A cube came out unread.",
    "Nobody could read what the ring told again and again.": "The ring kept sending something unreadable.",
    "Two stations left: name two colours, joined by a plus.": (
        "Two left the ring: give two colours, joined by a plus."
    ),
    "%(station)s left the ring while no draw was wanted: practice.": (
        "%(station)s left the ring outside an attempt: practice."
    ),
    "%(station)s came out after the last draw: put it back under the ring.": (
        "%(station)s came out after the last draw. Put it back under the ring."
    ),
    "The ring saw %(colour)s, but none of that colour lies under it. What was it?": (
        "The ring saw %(colour)s, but there's none under it. What was it?"
    ),
    "%(station)s came in late, after draws were typed in. Is it one of those?": (
        "%(station)s came in late, after you typed draws in. Is it one of those?"
    ),
    "%(station)s left the ring. But the attempt was changed meanwhile. What was it?": (
        "%(station)s left the ring, but the attempt has changed. What was it?"
    ),
    "They are swapped": "Swapped back",
    "It is there now": "It's there now",
    "Does it belong elsewhere? Take it off %(place)s.": "Doesn't it belong there? Take it off %(place)s.",
    "It is off": "Taken off",
    "Did it roll away, or come out after the last draw? Put it back on %(place)s.": (
        "Did it roll away or come out late? Put it back on %(place)s."
    ),
    "Did a %(colour)s station come out that the ring did not see?": "Did the ring miss a %(colour)s station?",
    "It is back": "It's back",
    "Did a %(colour)s one get back to %(place)s in place of a %(other)s one? Swap the two.": (
        "Did %(colour)s go back to %(place)s instead of %(other)s? Swap them."
    ),
    "Was the %(colour)s station of draw %(at)s put back on %(place)s? Take it where it belongs.": (
        "Was the %(colour)s station of draw %(at)s put back on %(place)s?"
    ),
    "Was the %(colour)s station of draw %(at)s put back on %(place)s? Move it where it belongs.": (
        "Was the %(colour)s station of draw %(at)s put back on %(place)s?"
    ),
    "Did a %(colour)s station come to %(place)s that I was not told of?": (
        "Did a %(colour)s station arrive on %(place)s unnoticed?"
    ),
    "Did nothing come out at draw %(at)s?": "Was draw %(at)s empty?",
    "No, nothing": "Yes, it was empty",
    "nothing of it could be read": "unreadable",
    "Another record is being taken in. Try again when that is done.": (
        "Another record is being imported. Try again afterwards."
    ),
    "there is nothing under it": "there's nothing under it",
    "it does not know one of the colours": "it doesn't know one of the colours",
    "it did not understand it": "it didn't understand",
    "it cannot do that": "it can't do that",
    "The ring speaks protocol %(version)s; this companion knows %(ours)s. Please update the companion.": (
        "The ring speaks protocol %(version)s, this companion %(ours)s. Update the companion."
    ),
    "The ring speaks protocol %(version)s; this companion needs %(ours)s. Please update the ring's firmware.": (
        "The ring speaks protocol %(version)s, this companion needs %(ours)s. Update the ring's firmware."
    ),
    "The ring has said nothing for %(seconds)s seconds. Draws can be typed in meanwhile.": (
        "The ring has been silent for %(seconds)s seconds. You can type draws in."
    ),
    "Another program took %(count)s events of the ring: please check the last draws.": (
        "Another program took %(count)s of the ring's events. Check the last draws."
    ),
    "The ring did not carry out “%(order)s”: %(why)s.": "The ring didn't do “%(order)s”: %(why)s.",
    "Nothing on %(port)s answers like a ring yet.": "No ring answers on %(port)s yet.",
    "The ring had no room for %(count)s events: please check the last draws.": (
        "The ring had no room for %(count)s events. Check the last draws."
    ),
    "Something the ring has seen does not get through: check the last draws, and plug the ring in anew.": (
        "Something the ring saw isn't arriving. Check the last draws, and unplug and replug the ring."
    ),
    "This is said at each start until %(name)s is taken away.": (
        "This message comes at each start until you remove %(name)s."
    ),
    "The ledger was damaged: %(why)s It is kept as %(name)s, as it was.": (
        "The ledger was damaged: %(why)s The damaged file is kept as %(name)s."
    ),
    "Nothing in it could be read, so this is a new ledger, without the games of before.": (
        "Nothing in it was readable. This ledger is new, without earlier games."
    ),
    "What could be read of it is in a new ledger, %(rows)s rows. A game that lacks some says so.": (
        "The readable part, %(rows)s rows, is in a new ledger. Incomplete games say so."
    ),
    "Rows %(first)s to %(last)s are lost, nobody knows of which game.": (
        "Rows %(first)s to %(last)s are lost. Nobody knows which game they were in."
    ),
    "What players were called is lost in these games, they go by their colours: %(games)s.": (
        "These games lost their players' names and show colours: %(games)s."
    ),
    "No backup is known here. One kept elsewhere is put in place by: companion restore FILE": (
        "No backup found here. If you have one: companion restore FILE"
    ),
    "The newest backup is %(name)s, of %(day)s. To go back to it, stop the service and type: %(command)s": (
        "The newest backup is %(name)s, of %(day)s. To use it, stop the service and type: %(command)s"
    ),
    "The ring's arming": "Arming the ring",
    "This needs what was written earlier.": "It needs earlier rows.",
    "The ledger cannot be read: %(why)s.": "The ledger can't be read: %(why)s.",
    "Calibration %(number)s of %(all)s on record cannot be used: %(why)s.": (
        "Calibration %(number)s of %(all)s can't be used: %(why)s."
    ),
    "%(colour)s: %(count)s passes; %(least)s to %(most)s are wanted": (
        "%(colour)s has %(count)s passes, not %(least)s to %(most)s"
    ),
    "%(file)s cannot be read: %(why)s.": "%(file)s can't be read: %(why)s.",
    "%(file)s is no TOML file: %(why)s.": "%(file)s isn't a TOML file: %(why)s.",
    "%(file)s: %(one)s and %(other)s cannot both be on pin %(pin)s.": (
        "%(file)s: %(one)s and %(other)s can't both be on pin %(pin)s."
    ),
    "The console's pins cannot be had (%(why)s).": "The console can't use its pins (%(why)s).",
    "A console is wired by %(file)s: %(num)s pin (%(pins)s).": (
        "Console wired as %(file)s says: %(num)s pin (%(pins)s)."
    ),
    "A console is wired by %(file)s: %(num)s pins (%(pins)s).": (
        "Console wired as %(file)s says: %(num)s pins (%(pins)s)."
    ),
    "lgpio may not write in the folder that this was started in (%(why)s).": (
        "lgpio can't write in the folder this started in (%(why)s)."
    ),
    "This is no Raspberry Pi whose pins may be used (%(why)s).": (
        "This computer has no Raspberry Pi pins to use (%(why)s)."
    ),
    "gpio: lgpio may not write in the folder that this was started in (%(why)s).": (
        "gpio: lgpio can't write in the folder this started in (%(why)s)."
    ),
    "gpio: this is no Raspberry Pi whose pins may be used (%(why)s).": (
        "gpio: this computer has no Raspberry Pi pins to use (%(why)s)."
    ),
    "gpio: %(bus)s cannot be opened (%(why)s); switch I2C on with raspi-config.": (
        "gpio: %(bus)s can't be opened (%(why)s). Switch I2C on with raspi-config."
    ),
    "The firmware on the emulated board has failed: %(why)s.": "The firmware on the emulated board failed: %(why)s.",
    "%(port)s is gone (as it was when this was recorded).": "%(port)s is gone, as in the recording.",
    "%(port)s is in use by another program.": "Another program is using %(port)s.",
    "%(port)s may not be opened: permission denied.": "No permission to open %(port)s.",
    "%(port)s cannot be opened: %(why)s.": "%(port)s can't be opened: %(why)s.",
    "Something other than the companion has changed %(rows)s.": "Something other than the companion changed %(rows)s.",
    "Something other than the companion has taken out %(rows)s.": (
        "Something other than the companion removed %(rows)s."
    ),
    "The ledger has lost its end: it no longer holds %(rows)s.": "The end of the ledger is gone: %(rows)s.",
    "Something other than the companion has put in %(rows)s.": "Something other than the companion added %(rows)s.",
    "The ledger's file is not in order: %(why)s.": "The ledger's file isn't right: %(why)s.",
    "Something other than the companion has changed a name of game %(game)s.": (
        "Something other than the companion changed a name in game %(game)s."
    ),
    "Something other than the companion has changed a name that belongs to no game.": (
        "Something other than the companion changed a name that belongs to no game."
    ),
    "put right by hand": "changed by hand",
    "Somebody has to go": "Somebody must leave",
    "A station peeked out and went back. Not a draw.": "A cube peeked out and went back. Not a draw.",
    "Two stations came out at once.": "Two cubes came out at once.",
    "A station came out after the last draw.": "A cube came out after the last draw.",
    "A station is stuck in the gate.": "A cube is stuck in the gate.",
    "Put back any stations that got out.": "Put back any cubes that got out.",
    "Put back any stations that slipped out.": "Put back any cubes that slipped out.",
    "The ring reports a station late, after you typed draws in.": (
        "The ring reports a cube late, after you typed draws in."
    ),
    "It still counts. Say what each station was.": "It still counts. Say what each cube was.",
    "A station came out unread.": "A cube came out unread.",
    "Only a late station can already be typed in.": "Only a late cube can already be typed in.",
    "A station left the ring. Say why it doesn't count: misread, knocked over or not a draw.": (
        "A cube left the ring. Say why it doesn't count: misread, knocked over or not a draw."
    ),
}
"""A row keeps the pattern that it was written with; catalogues know only those of today."""
