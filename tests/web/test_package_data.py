"""The files of the page are part of the package."""

import re
from importlib.resources import files

from athenan.web.app import PAGE


def test_the_page_is_in_the_package() -> None:
    page = files("athenan.web") / "page"
    names = {each.name for each in page.iterdir()}
    assert {each.name for each in PAGE.iterdir()} == names
    index = (page / "index.html").read_text(encoding="utf-8")
    wanted = set(re.findall(r"/page/([\w.]+)", index))
    for name in [each for each in names if each.endswith(".js")]:
        script = (page / name).read_text(encoding="utf-8")
        wanted |= set(re.findall(r'(?:from |import\()"\./([\w.]+)"', script))
    assert wanted <= names
    assert len(wanted) > 15
