"""Properties in pytest's JUnit file, for readers that allow them only in a test suite.

Jenkins' xUnit plugin is such a reader: its schema (junit-10.xsd) refuses properties in a test case, where
pytest writes them.
"""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

CASE, SUITE = "case", "suite"


def move_to_suite(path: Path) -> None:
    """Move all properties of test cases in the file at *path* to their suite, named after their case."""
    tree = ElementTree.parse(path)  # noqa: S314 - pytest has just written it
    for suite in tree.iter("testsuite"):
        moved = ElementTree.Element("properties")
        for case in suite.findall("testcase"):
            for properties in case.findall("properties"):
                case.remove(properties)
                for each in properties:
                    each.set("name", f"{case.get('classname')}.{case.get('name')} {each.get('name')}")
                    moved.append(each)
        if len(moved):
            suite.insert(0, moved)
    tree.write(path, encoding="utf-8", xml_declaration=True)
