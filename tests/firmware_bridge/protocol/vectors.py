"""Runs the protocol's test vectors for what a device has; written in MicroPython's subset, as a board runs it too."""


def as_bytes(text):
    """Return the bytes that a vector writes, one character each."""
    return bytes([ord(each) for each in text])


def as_text(data):
    """Return *data* as a vector writes it."""
    return "".join([chr(each) for each in data])


SAID = ("orders", "kept", "write", "due")


def checksums(wire, vector):
    """CRC-32 of some bytes."""
    return {"crc": wire.framing.checksum(as_bytes(vector["bytes"]))}


def lines(wire, vector):
    """A body is sealed, opened again and parsed."""
    line = wire.framing.seal(vector["body"])
    word, fields = wire.codec.parse(wire.framing.opened(line[1:-1]))
    return {"line": as_text(line), "word": word, "fields": fields}


def no_messages(wire, vector):
    """A body that no line should have carried."""
    return {"parsed": wire.codec.parse(vector["body"])}


def numbers(wire, vector):
    """Texts that are numbers, bits, or neither."""
    return {"whole": _read(wire.codec.whole, vector["text"]), "bits": _read(wire.codec.bits, vector["text"])}


def pieces(wire, vector):
    """Portions of bytes, the bodies found in them, and how many pieces are counted as damaged."""
    found = wire.framing.LineFraming()
    bodies = []
    for portion in vector["portions"]:
        bodies.extend(found.feed(as_bytes(portion)))
    return {"bodies": bodies, "damaged": found.damaged}


def clocks(wire, vector):
    """Readings of a counter that wraps."""
    clock = wire.clock.ExtendedClock(vector["period"])
    return {"us": [clock.at(ticks) for ticks in vector["ticks"]]}


def trips(wire, vector):
    """Round trips, or `late` where the wait runs out; the wait before the first and after each."""
    trip = wire.rto.RtoEstimate()
    waits = [trip.wait_us]
    for us in vector["round_trips"]:
        if us == "late":
            trip.ran_out()
        else:
            trip.measured(us)
        waits.append(trip.wait_us)
    return {"waits": waits}


def frames(wire, vector):
    """Edges and the middles of frames: those that tell the passage."""
    return {"chosen": wire.frame_filter.chosen(_edges(vector["edges"]), vector["middles"])}


def passages(wire, vector):
    """Edges and moments at which nothing happens (`.`): what is told, and what is swallowed."""
    recogniser = wire.detector.Recogniser()
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
    """A device's end of a conversation: what it hears and when, and the bytes that it writes."""
    link = wire.endpoint.Endpoint([(key, value) for key, value in vector["identity"]], vector["boot"], vector["room"])
    if vector.get("beams"):
        link.recogniser = wire.detector.Recogniser()
    return {"steps": [_device_step(link, step) for step in vector["steps"]]}


def _device_step(link, step):
    """Let one moment pass: orders are answered as the step says, then something happens, then the device writes."""
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
    """Return a sentence for each vector whose outcome is not the expected one, and how many were run."""
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
    """Return what *vector* says of each part of its *outcome*; of a step, what it hears and does is left out."""
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
