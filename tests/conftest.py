"""Fixtures for tests that open pages in a real browser; no test fails because the machine is busy."""

import functools
import http.server
import shutil
import threading
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

ROOT = Path(__file__).resolve().parent.parent


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def do_GET(self):
        if self.path == "/favicon.ico":  # which a browser asks for of its own accord
            self.send_response(204)
            self.end_headers()
        else:
            super().do_GET()


@pytest.fixture(scope="session")
def serve():
    """A function that serves a folder on loopback and returns its address; a server ends with the tests' process."""

    def start(folder):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}"

    return start


@pytest.fixture(scope="session")
def book():
    """The folder of the built book."""
    site = ROOT / "_build" / "html"
    if not (site / "index.html").is_file() or (ROOT / "_build" / ".incomplete").exists():
        pytest.skip("the book is not built (or its last build failed): run `make book` first")
    return site


@pytest.fixture(scope="session")
def book_url(book, serve):
    """The address at which the built book is served."""
    return serve(book)


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium: the one on this machine, since downloading one is not a test's business."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install '.[dev]'")
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        pytest.skip(f"no browser on PATH (looked for {', '.join(names)}): install Chromium to test the pages")
    with playwright.sync_playwright() as tool:
        nowhere = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
        chromium = tool.chromium.launch(executable_path=path, args=["--no-sandbox", nowhere])
        yield chromium
        chromium.close()


class Visit:
    """A browser tab that notes what a reader should never meet and lets no request leave the machine."""

    def __init__(self, browser, **options):
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        self.page = self.context.new_page()
        self.errors: list[str] = []
        self.context.on("request", self._asked)
        self.page.on("console", lambda m: m.type in ("error", "warning") and self.errors.append(f"console: {m.text}"))
        self.page.on("pageerror", lambda error: self.errors.append(f"script: {error}"))
        self.page.on("requestfailed", self._failed)
        self.page.on("response", lambda r: r.status >= 400 and self.errors.append(f"{r.status}: {r.url}"))

    def _asked(self, request):
        if not request.url.startswith(("http://127.0.0.1:", "file:", "data:", "blob:")):
            self.errors.append(f"leaves the machine: {request.url}")

    def _failed(self, request):
        if request.failure != "net::ERR_ABORTED":  # the page was left before it came
            self.errors.append(f"failed: {request.url}")

    def open(self, url):
        """Load a page and wait for its fonts."""
        self.page.goto(url)
        self.page.evaluate("() => document.fonts.ready.then(() => 0)")
        return self.page


@pytest.fixture
def visit(browser):
    """A function that opens a new tab; options are playwright's, such as ``java_script_enabled=False``."""
    visits = []

    def start(**options):
        visits.append(Visit(browser, **options))
        return visits[-1]

    yield start
    for one in visits:
        one.context.close()
