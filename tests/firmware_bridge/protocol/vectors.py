"""Runs the protocol's test vectors for the device's side; in MicroPython's subset, since boards run it too."""


def as_bytes(text):
    """Return the bytes of a vector's text, one per character."""
    return bytes([ord(each) for each in text])


def as_text(data):
    """Return *data* as the text of a vector."""
    return "".join([chr(each) for each in data])


SAID = ("orders", "kept", "write", "due")


def checksums(wire, vector):
    """Return the CRC-32 of some bytes."""
    return {"crc": wire.framing.checksum(as_bytes(vector["bytes"]))}


def lines(wire, vector):
    """Seal, open and parse a body."""
    line = wire.framing.seal(vector["body"])
    word, fields = wire.codec.parse(wire.framing.opened(line[1:-1]))
    return {"line": as_text(line), "word": word, "fields": fields}


def no_messages(wire, vector):
    """Parse a body that no line should contain."""
    return {"parsed": wire.codec.parse(vector["body"])}


def numbers(wire, vector):
    """Parse strings that are numbers, bits, or neither."""
    return {"whole": _read(wire.codec.whole, vector["text"]), "bits": _read(wire.codec.bits, vector["text"])}


def pieces(wire, vector):
    """Find bodies in portions of bytes, and count the damaged pieces."""
    found = wire.framing.LineFraming()
    bodies = []
    for portion in vector["portions"]:
        bodies.extend(found.feed(as_bytes(portion)))
    return {"bodies": bodies, "damaged": found.damaged}


def clocks(wire, vector):
    """Convert readings of a counter that wraps."""
    clock = wire.clock.ExtendedClock(vector["period"])
    return {"us": [clock.at(ticks) for ticks in vector["ticks"]]}


def trips(wire, vector):
    """Return the waits before the first round trip and after each; `late` means that the wait ran out."""
    trip = wire.resend_timeout.ResendTimeout()
    waits = [trip.wait_us]
    for us in vector["round_trips"]:
        if us == "late":
            trip.ran_out()
        else:
            trip.measured(us)
        waits.append(trip.wait_us)
    return {"waits": waits}


def frames(wire, vector):
    """Return the frames that are sent for a passage, from its edges and the middles of its frames."""
    return {"chosen": wire.frame_filter.chosen(_edges(vector["edges"]), vector["middles"])}


def passages(wire, vector):
    """Return the verdicts for edges and idle moments (`.`), and the suppressed edges."""
    recogniser = wire.beam_recogniser.Recogniser()
    for name, value in vector.get("set", {}).items():
        recogniser.set(name, value)
    told = []
    for part in vector["edges"].split(","):
        if part[0] == ".":
            told.append(recogniser.tick(int(part[1:])))
        else:
            told.append(recogniser.edge(part[0], part[1] == "+", int(part[2:])))
    swallowed = {name: count for name, count in recogniser.filtered.items() if count}
    return {"told": [_passage(each) for each in told if each is not None], "swallowed": swallowed}


def devices(wire, vector):
    """Run the device's end of a conversation: its input with times, and its output."""
    link = wire.endpoint.Endpoint([(key, value) for key, value in vector["identity"]], vector["boot"], vector["room"])
    if vector.get("beams"):
        link.recogniser = wire.beam_recogniser.Recogniser()
    return {"steps": [_device_step(link, step) for step in vector["steps"]]}


def _device_step(link, step):
    """Run one step: answer orders as the step says, let its events happen, then collect the output."""
    result = {"orders": []}
    for word, fields in link.receive(as_bytes(step.get("hear", "")), step["at"]):
        result["orders"].append([word, fields])
        link.answer(int(fields["c"]), step.get("why", ""))
    for name in ("token", "gate", "lift"):
        if name in step:
            setattr(link, name, step[name])
    if "beat" in step:
        link.beat_us = step["beat"]
    result["kept"] = [link.report([_event(each) for each in events], step["at"]) for events in step.get("tell", [])]
    result["write"] = as_text(link.outgoing(step["at"]))
    result["due"] = link.due_us(step["at"])
    return {key: value for key, value in result.items() if value not in ("", [])}


RUNS = {
    "checksums": checksums,
    "lines": lines,
    "no_messages": no_messages,
    "numbers": numbers,
    "pieces": pieces,
    "clocks": clocks,
    "trips": trips,
    "frames": frames,
    "passages": passages,
    "devices": devices,
}


def failures(wire, vectors):
    """Return a sentence for each vector with a wrong outcome, and the number of vectors run."""
    wrong = []
    run = 0
    for section in sorted(RUNS):
        for number, vector in enumerate(vectors[section]):
            run += 1
            outcome = RUNS[section](wire, vector)
            for key, value in expected(vector, outcome).items():
                if outcome[key] != value:
                    wrong.append(f"{section}[{number}] {key}: {outcome[key]} instead of {value}")
    return wrong, run


def expected(vector, outcome):
    """Return the expected part of *vector* for each part of its *outcome*, without the input of steps."""
    if "steps" in vector:
        return {"steps": [{key: step[key] for key in SAID if key in step} for step in vector["steps"]]}
    return {key: vector[key] for key in outcome}


def _read(reader, text):
    try:
        return reader(text)
    except ValueError:
        return None


def _edges(text):
    return [(part[0], part[1] == "+", int(part[2:])) for part in text.split(",")]


def _passage(passage):
    edges = [beam + ("+" if on else "-") + str(at) for beam, on, at in passage.edges]
    return [passage.kind, passage.length, ",".join(edges)]


def _event(event):
    word, pairs = event
    return word, [(key, value) for key, value in pairs]
