"""A real browser for tests: headless Chromium, spoken to through chromedriver, in WebDriver's protocol. It reaches no
network."""

import base64
import json
import re
import shutil
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

NEEDED = ("chromium", "chromedriver")
KEYS = {"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Home": "\ue011",
        "End": "\ue010"}


def missing() -> str:
    """What has to be installed for a browser; empty if it is all there."""
    return ", ".join(name for name in NEEDED if not shutil.which(name))


class Browser:
    def __init__(self) -> None:
        self.profile = tempfile.mkdtemp(prefix="browser-test-")
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        assert self.driver.stdout
        port = None
        while port is None:
            line = self.driver.stdout.readline()
            if not line:
                raise RuntimeError("chromedriver did not start")
            port = re.search(r"started successfully on port (\d+)", line)
        self.address = f"http://127.0.0.1:{port[1]}/session"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--proxy-server=127.0.0.1:9", f"--user-data-dir={self.profile}"]
        options = {"binary": shutil.which("chromium"), "args": arguments}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options,
                  "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        self.session = ""
        self.session = "/" + self._ask("POST", "", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]

    def close(self) -> None:
        try:
            if self.session:
                self._ask("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait(timeout=30)
            assert self.driver.stdout
            self.driver.stdout.close()
            shutil.rmtree(self.profile, ignore_errors=True)

    def _ask(self, method: str, path: str, body: dict | None = None) -> Any:
        data = None if method == "DELETE" or (body is None and method == "GET") else json.dumps(body or {}).encode()
        request = urllib.request.Request(self.address + self.session + path, data=data, method=method,
                                         headers={"Content-Type": "application/json"})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def open(self, address: str) -> None:
        self._ask("POST", "/url", {"url": address})

    def reload(self) -> None:
        self._ask("POST", "/refresh")

    def run(self, script: str, *arguments: object) -> Any:
        """What the body of a function in JavaScript returns."""
        return self._ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, script: str, *arguments: object, seconds: float = 20) -> Any:
        """Waits until the script's result is true."""
        end = time.monotonic() + seconds
        while True:
            result = self.run(script, *arguments)
            if result:
                return result
            if time.monotonic() > end:
                raise AssertionError(f"after {seconds} s still not: {script} {arguments}")
            time.sleep(0.02)

    def press(self, *keys: str) -> None:
        actions = []
        for key in keys:
            value = KEYS.get(key, key)
            actions += [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self._ask("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def command(self, name: str, **parameters: object) -> Any:
        """A command of Chromium's own protocol."""
        return self._ask("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def size(self, width: int, height: int, dark: bool = False) -> None:
        """Of the page itself; a window cannot be as narrow as a phone."""
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.command("Emulation.setEmulatedMedia",
                     features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def screenshot(self) -> bytes:
        return base64.b64decode(self._ask("GET", "/screenshot"))

    def log(self, kind: str) -> list[dict]:
        return self._ask("POST", "/se/log", {"type": kind})

    def requests(self) -> list[str]:
        """The addresses that were asked for since the last time."""
        events = [json.loads(entry["message"])["message"] for entry in self.log("performance")]
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]


class Pages(unittest.TestCase):
    """Tests of pages in one browser. They lie in a folder; the console stays empty, and nothing is asked of a network."""

    @classmethod
    def setUpClass(cls) -> None:
        if missing():
            raise unittest.SkipTest(f"skipped: {missing()} not found: apt-get install chromium chromium-driver")
        folder = tempfile.TemporaryDirectory(prefix="page-test-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self) -> None:
        self.browser.size(1400, 900)
        self.browser.log("browser")
        self.browser.requests()

    def tearDown(self) -> None:
        self.assertEqual([entry["message"] for entry in self.browser.log("browser")], [])
        outside = [url for url in self.browser.requests() if not url.startswith(("file:///", "data:", "about:blank"))]
        self.assertEqual(outside, [])

    def open_address(self, address: str) -> None:
        self.browser.open("about:blank")  # a change of the address alone would not load the page
        self.browser.open(address)
        self.browser.wait("return document.body.classList.contains('ready')")
