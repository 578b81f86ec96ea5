"""The fuzzer's first inputs: short conversations as scripts, with every word that either end accepts."""

from __future__ import annotations

HI = b"hi v=1 h=s"
HELLO = b"hello v=1 to=s fw=0.1.0 id=fuzzed sensor=tcs34725 sim=0 can=glmb b=00000001 from=1"
OF_DEVICE = (
    HI,
    b"hi v=2 h=s",
    b"ack h=s b=00000001 n=1 got=0",
    b"ack h=s b=00000001 n=0 got=6",
    b"replay h=s n=1",
    b"dump h=s",
    b"ping h=s id=1",
    b"arm h=s c=1 tok=17",
    b"disarm h=s c=1",
    b"under h=s c=1 n=0 u=red:2,blue:3",
    b"slide h=s c=1",
    b"set h=s c=1 beat=1000 filter=100 stuck=2500 pair=165 edge=8000 gap=4000",
    b"look h=s c=1 what=white",
    b"lamp h=s c=1 rgb=ff4000",
    b"beep h=s c=1 hz=2000 ms=80",
    b"!GABfffabg",
    b"!AaBbBAbaABba",
    b"!GjjjLlw",
    b"@1000",
    b"@200000",
    b"@2600000",
    b"@6000000",
    b"~\x03\xff$hi",
)
OF_HOST = (
    HELLO,
    HELLO.replace(b"v=1", b"v=2"),
    HELLO.replace(b"to=s", b"to=0"),
    HELLO.replace(b"b=00000001", b"b=00000002"),
    b"boot b=00000001 n=1 t=0 why=power",
    b"gate b=00000001 n=1 t=5 open=1",
    b"lift b=00000001 n=2 t=5 up=1",
    b"fault b=00000001 n=3 t=5 what=store-full lost=3",
    b"look b=00000001 n=1 t=5 what=white counts=1080:1200:968:3216 sum=8",
    b"ref b=00000001 n=1 t=5 white=1080:1200:968:3216 dark=8:0:8:8 sum=8",
    b"ref b=00000001 n=2 t=5 black=160:184:144:488 sum=8",
    b"frame b=00000001 n=3 t=5 f=54166:56:28:24:103,62500:57:28:24:104",
    b"edge b=00000001 n=4 t=5 e=A+0,B+50000,A-100000,B-150000",
    b"pass b=00000001 n=5 t=5 k=out tok=17 parts=4 len=100 us=150000",
    b"pass b=00000001 n=5 t=5 k=pair tok=17 parts=4 len=200 us=150000",
    b"beat b=00000001 t=61000000 last=17 tok=0 gate=0 lift=0",
    b"state h=s b=00000001 t=61000000 last=17 tok=0 gate=x lift=1",
    b"tally h=s b=00000001 first=12 lost=0 bad=3 again=9",
    b"sift h=s filter=1000 stuck=2500 pair=165 blink=2 bounce=5 same=0 cut=0",
    b"pong h=s id=1 t=61000317",
    b"done h=s c=1",
    b"sorry h=s c=1 why=empty",
    b"!r",
    b"!p",
    b"!oody",
    b"@1000",
    b"@200000",
    b"@2600000",
    b"~$gate b=0000",
)
STEPS = {"device": OF_DEVICE, "host": OF_HOST}
OPENING = {"device": HI, "host": HELLO}


def seeds(end: str) -> list[bytes]:
    """Return the first inputs for *end*: each step after a greeting, and all of them together."""
    greeting = OPENING[end]
    return [greeting + b"\n" + step for step in STEPS[end]] + [b"\n".join((greeting, *STEPS[end]))]
