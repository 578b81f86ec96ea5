"""What a page says as markup, however its template is laid out."""

import re


def flat(html: str) -> str:
    """Return *html* with one space where there was any, and none beside the brackets of a tag."""
    return re.sub(r" ?/?>", ">", re.sub(r"\s+", " ", html)).replace("> <", "><")
