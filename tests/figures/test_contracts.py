"""The contracts between the top folders: an import that no list allows is refused, in new folders too."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from itertools import product

import grimp
import pytest
from importlinter.application import use_cases
from importlinter.configuration import configure
from importlinter.domain.contract import Contract, registry

from tests.figures.imports import ROOT

ROOMS = ("companion", "firmware_bridge", "web")
KIT = "rungs"
OPEN = {
    "companion": frozenset({"firmware_bridge", "web"}),  # to its application
    "firmware_bridge": frozenset({"companion.kernel", "companion.ports"}),
    "web": frozenset(
        f"companion.{folder}"
        for folder in (
            *("autoplay", "fairness", "games", "kernel", "ledger", "luck", "model", "ports", "records", "ring"),
            *("session", "speech", "statistics"),
        )
    ),
}
"""What each top folder may import from the others."""
Import = tuple[str, str]


@cache
def graph() -> grimp.ImportGraph:
    """Return the imports of the product."""
    return grimp.build_graph(*ROOMS, KIT, cache_dir=None)


@cache
def contracts() -> tuple[Contract, ...]:
    """Return the contracts that `make check` checks."""
    configure()
    options = use_cases.read_user_options(str(ROOT / "pyproject.toml"))
    use_cases._register_contract_types(options)
    return tuple(
        registry.get_contract_class(each["type"])(each["name"], options.session_options, each)
        for each in options.contracts_options
    )


def folders(room: str) -> list[str]:
    """Return the subfolders of *room*."""
    return sorted(each for each in graph().find_children(room) if graph().find_children(each))


def allowed(room: str, source: str, target: str) -> bool:
    """Return whether a folder of *room* may import a folder of another room."""
    if room == "companion":
        return source == "companion.app"
    return target in OPEN[room]


def forbidden(room: str) -> Iterator[Import]:
    """Yield each import from a folder of *room* into a folder of another room that isn't allowed."""
    for other in ROOMS:
        if other != room:
            pairs = product(folders(room), folders(other))
            yield from (pair for pair in pairs if not allowed(room, *pair))


def refused(planted: grimp.ImportGraph) -> set[Import]:
    """Return the direct imports between rooms in *planted* that a contract refuses."""
    chains = [
        chain
        for contract in contracts()
        if type(contract).__name__ == "ForbiddenContract"
        for found in contract.check(deepcopy(planted), verbose=False).metadata.get("invalid_chains", ())
        for chain in found["chains"]
    ]
    return {(chain[0]["importer"], chain[0]["imported"]) for chain in chains if len(chain) == 1}


@pytest.mark.parametrize("room", ROOMS)
def test_an_import_that_no_list_allows_is_refused(room: str) -> None:
    """An import that isn't allowed is refused in any subfolder of a top folder."""
    planted, imports = deepcopy(graph()), set(forbidden(room))
    for importer, imported in imports:
        planted.add_import(importer=importer, imported=imported, line_number=1, line_contents="import planted")

    assert imports - refused(planted) == set()
    assert len(imports) > 100


@pytest.mark.parametrize(
    "planted",
    [(f"{KIT}.wire", "companion.kernel"), (f"{KIT}.plugin", "firmware_bridge"), ("web.http", f"{KIT}.plugin")],
)
def test_the_test_kit_is_alone(planted: Import) -> None:
    """The test kit may import no top folder, and no top folder may import its plugin."""
    changed = deepcopy(graph())
    changed.add_import(importer=planted[0], imported=planted[1], line_number=1, line_contents="import planted")

    assert refused(changed) == {planted}


def test_what_is_there_is_allowed() -> None:
    """The product's real imports are all allowed."""
    assert refused(graph()) == set()


@pytest.mark.parametrize("room", ROOMS)
def test_a_folder_that_is_new_has_to_be_given_its_floor(room: str) -> None:
    """A folder that no layer names is refused, so that its allowed imports must be declared."""
    planted = deepcopy(graph())
    planted.add_module(f"{room}.quite_new")

    found = [each for each in contracts() if _is_floor_of(each, room)]

    assert len(found) == 1
    assert not found[0].check(planted, verbose=False).kept


def _is_floor_of(contract: Contract, room: str) -> bool:
    return contract.contract_options.get("containers") == [room]
