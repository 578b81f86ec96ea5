"""Settings stored only on the device: sound, light, side of the table, and the installed app."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.markup import flat
from tests.web.open_port import OpenPort
from tests.web.served_house import HOST, ServedHouse

STATIC = Path(__file__).parents[3] / "web" / "static"
CUES = "() => sound.cues()"
HEAR = """() => { window.notes = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...at) { notes += 1; return start.apply(this, at); }; }"""


@pytest.fixture
def device(browser: Browser, open_port: OpenPort) -> Iterator[Page]:
    """A device without any settings."""
    context = browser.new_context(base_url=f"http://127.0.0.1:{open_port.port}")
    yield context.new_page()
    context.close()


def chosen(page: Page, wish: str) -> str | None:
    """Return the pressed button of the setting *wish*."""
    return page.locator(f"#page [data-wish={wish}][aria-pressed=true]").get_attribute("data-as")


def choose(page: Page, fold: str, wish: str, value: str) -> None:
    """Open *fold* if it is closed, and press a button in it."""
    button = page.locator(f"#page [data-wish={wish}][data-as={value}]")
    if not button.is_visible():
        page.locator(f"#fold-{fold}").click()
    button.click()


def test_sound_is_asked_about_once_a_device(device: Page) -> None:
    """A strip offers sound before a game, not during play nor above a menu, and never again after an answer."""
    device.goto("/")
    expect(device.locator("#ask-sound")).to_be_hidden()
    device.goto("/table")
    expect(device.locator("#ask-sound")).to_be_hidden()
    device.goto("/table/menu")
    expect(device.locator("#ask-sound")).to_be_hidden()
    device.goto("/new")
    device.get_by_role("button", name="Not now").click()

    expect(device.locator("#ask-sound")).to_be_hidden()
    device.reload()
    expect(device.locator("#page")).to_be_visible()
    expect(device.locator("#ask-sound")).to_be_hidden()
    device.goto("/device")
    assert chosen(device, "sound") == "off"


def test_sound_is_tried_when_it_is_enabled(device: Page) -> None:
    """Turning the sound on plays a test sound immediately."""
    device.goto("/new")
    device.evaluate(HEAR)
    device.get_by_role("button", name="Turn sound on").click()

    device.wait_for_function("() => sound.state() === 'running' && notes === 2")


def test_every_cue_sounds_where_sound_was_asked_for(device: Page) -> None:
    """Sound: each cue makes a sound, but a device with sound off is silent."""
    device.goto("/device")
    choose(device, "sound", "sound", "on")
    device.wait_for_function("() => sound.state() === 'running'")
    device.evaluate(HEAR)
    play = "(cues) => { for (const detail of cues) document.dispatchEvent(new CustomEvent('cue', { detail })); }"
    cues = [cue for cue in device.evaluate(CUES) if cue != "counted"]  # this cue is a click without a note
    device.evaluate(play, cues)
    assert device.evaluate("() => notes") >= len(cues)

    choose(device, "sound", "sound", "off")
    device.evaluate("() => { notes = 0; }")
    device.evaluate(play, cues)
    assert device.evaluate("() => notes") == 0


def test_what_a_device_was_told_is_put_on_before_it_is_seen(device: Page) -> None:
    """Device: theme and side of the table are stored, and applied at the first paint of every page."""
    device.goto("/device")
    choose(device, "screen", "theme", "dark")
    choose(device, "screen", "turned", "yes")
    device.add_init_script(
        """new MutationObserver((_, watch) => {
             if (!document.body) return;
             watch.disconnect();
             window.first = [document.documentElement.dataset.theme, document.documentElement.className];
           }).observe(document, { childList: true, subtree: true });"""
    )
    device.goto("/")

    assert device.evaluate("() => first") == ["dark", "turned"]
    assert device.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(18, 20, 29)"
    device.goto("/device")
    assert (chosen(device, "theme"), chosen(device, "turned")) == ("dark", "yes")


def test_a_phone_opens_what_it_wants_to_choose_and_reads_what_is_chosen(device: Page) -> None:
    """Device: each panel shows its title and the chosen value, and a tap opens it."""
    device.set_viewport_size({"width": 390, "height": 844})
    device.goto("/device")
    dark = device.locator("#page [data-wish=theme][data-as=dark]")
    expect(dark).to_be_hidden()
    device.locator("#fold-screen").click()
    dark.click()

    expect(device.locator("#fold-screen small")).to_have_text("Dark")


def test_what_a_browser_cannot_do_is_said_and_why(device: Page) -> None:
    """Device: if a page can't keep the screen awake, it says where the device can be set to do so."""
    device.add_init_script("delete Navigator.prototype.wakeLock")
    device.goto("/device")
    device.locator("#fold-screen").click()

    expect(device.locator("#page [data-wish=awake]").first).to_be_disabled()
    expect(device.locator("[data-cannot=awake]")).to_contain_text("Auto-Lock")


def test_the_screen_is_kept_awake_where_that_is_allowed(device: Page) -> None:
    """Device: on localhost or over HTTPS, the screen is kept awake while the page is visible."""
    device.add_init_script(
        "WakeLock.prototype.request = async (kind) => { window.held = kind; return { released: false, release() {} }; }"
    )
    device.goto("/device")
    choose(device, "screen", "awake", "yes")

    device.wait_for_function("() => window.held === 'screen'")


def test_the_companion_can_lie_among_the_apps(site: ServedHouse) -> None:
    """The web app manifest has its own media type, and its icons have the sizes that it lists."""
    answer = site.visitor().get("/manifest.webmanifest")
    manifest = answer.get_json()

    assert answer.mimetype == "application/manifest+json"
    assert (manifest["display"], manifest["start_url"], manifest["name"]) == ("standalone", "/", "Ring companion")
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        picture = (STATIC / icon["src"].removeprefix("/static/")).read_bytes()
        width, height = (int.from_bytes(picture[at : at + 4]) for at in (16, 20))
        assert f"{width}x{height}" == icon["sizes"]


def test_pages_name_the_manifest_and_both_colours_of_the_frame(site: ServedHouse) -> None:
    """Install: every page links to the manifest, and has theme colours for light and dark."""
    page = site.visitor().get("/device").get_data(as_text=True)

    assert '<link rel="manifest" href="/manifest.webmanifest">' in flat(page)
    assert page.count('<meta name="theme-color"') == 2
    assert "apple-touch-icon" in page


VOICE = """() => { window.said = [], window.spoken = [];
  const voices = VOICES;
  Object.defineProperty(window, "speechSynthesis", { value: {
    getVoices: () => voices, cancel() {}, speak: (one) => spoken.push(one) } });
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  document.addEventListener("queued", ({ detail }) => said.push(detail)); }"""


def test_the_table_speaks_where_it_was_asked_to(device: Page, site: ServedHouse) -> None:
    """Speech: the browser speaks events; if play runs ahead, it speaks only the newest one."""
    device.add_init_script(f"({VOICE.replace('VOICES', '[{ lang: `en-GB` }]')})()")
    device.goto("/device")
    site.table.do({"do": "deal"}, HOST)
    choose(device, "speech", "speech", "all")
    device.wait_for_function("() => spoken.length === 1 && spoken[0].text === 'The table speaks.'")

    for player in ("red", "blue"):
        site.table.do({"do": "transport", "player": player, "move": "pass"}, HOST)
    device.wait_for_function("() => said.at(-1)?.join() === 'Cem, transport?'")
    device.evaluate("() => spoken[0].onend()")
    assert device.evaluate("() => spoken.map((one) => one.text)") == ["The table speaks.", "Cem, transport?"]
    expect(device.locator("#cannot-speak")).to_be_hidden()


def test_a_device_without_a_voice_says_so_once(device: Page) -> None:
    """Speech: a missing voice, or a browser that needs a touch first, is reported, and the note can be closed."""
    device.add_init_script(f"({VOICE.replace('VOICES', '[{ lang: `xx` }]')})()")
    device.goto("/device")
    choose(device, "speech", "speech", "all")
    expect(device.locator("#cannot-speak")).to_contain_text("no English voice")
    device.locator("h1").click()
    expect(device.locator("#cannot-speak")).to_be_hidden()

    device.evaluate("() => spoken[0].onerror({ error: 'not-allowed' })")
    expect(device.locator("#cannot-speak")).to_contain_text("until you touch this page")
    choose(device, "speech", "words", "few")
    expect(device.locator("#cannot-speak")).to_be_hidden()
