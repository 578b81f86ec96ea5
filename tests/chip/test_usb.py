"""The USB of an emulated chip with TinyUSB, and a host that doesn't fetch packets."""

from __future__ import annotations

DEAF_S = 15.0
EVERY_S = 1.5


def test_a_host_that_does_not_read_costs_nothing(chip, host, figures):
    """If the host fetches nothing for a quarter of a minute, the chip isn't reset, and all passages arrive later."""
    after, boot = host.newest, host.talk.boot
    chip.board.reading = False
    slides = int(DEAF_S / EVERY_S / 2)
    for _ in range(slides):
        chip.hand({"slide": 1, "colours": ["blue"], "speed_mm_s": 100})
        chip.wait(EVERY_S)
    chip.wait(DEAF_S - slides * EVERY_S)
    chip.board.reading = True
    hello = host.again()
    passages = [host.passage(after)]
    while len(passages) < slides:
        host.talk.ack()
        passages.append(host.passage(passages[-1].verdict.number))
    figures |= {"not read for (s)": DEAF_S, "passages told afterwards": len(passages)}

    assert hello.boot == boot
    assert chip.board.resets == []
    assert [(each.path, each.kind) for each in passages] == [("A+ B+ A- B-", "out")] * slides
