"""Chromium at a telephone's screen size on the hotspot's page: looks for another page as telephones do, is sent there, makes
a mistake, and then has the board join a network. Prints what it saw as JSON.

  telephone-browser.py PORT FOLDER NETWORK PASSWORD
      PORT: whatever it connects to is 127.0.0.1:PORT, from where the board's simulated telephone goes on to the page
      FOLDER: for its profile, and for pictures of the three pages
"""

import base64
import json
import os
import select
import subprocess
import sys
import time


class Browser:
    """Its debugging protocol goes by pipes, so nothing listens for it: file 3 is what it reads, 4 what it writes."""

    def __init__(self, port, folder):
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()
        for end in (commands, answers):
            os.set_inheritable(end, True)
        words = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-pipe"]
        words += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
        words += [f"--host-resolver-rules=MAP * 127.0.0.1:{port}", f"--user-data-dir={folder}/profile", "about:blank"]
        # The shell puts the pipes where the browser looks for them.
        line = f'exec "$@" 3<&{commands} 4>&{answers}'
        with open(f"{folder}/browser.log", "w") as log:
            self.process = subprocess.Popen(
                ["bash", "-c", line, "bash", *words], close_fds=False, stdout=log, stderr=log)
        os.close(commands)
        os.close(answers)
        self.log, self.waits_until = f"{folder}/browser.log", 0
        self.sent, self.rest, self.page, self.events = 0, b"", None, []

    def open(self):
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.page = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.ask(f"{domain}.enable")
        self.ask("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=2, mobile=True)

    def ask(self, method, **words):
        self.sent += 1
        self.waits_for, self.waits_until = method, time.monotonic() + 60
        message = {"id": self.sent, "method": method, "params": words}
        if self.page:
            message["sessionId"] = self.page
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.hear()
            if answer.get("id") == self.sent:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def hear(self):
        while b"\0" not in self.rest:
            left = self.waits_until - time.monotonic()
            if left <= 0 or not select.select([self.answers], [], [], left)[0]:
                raise SystemExit(f"nothing came of {self.waits_for}")
            more = os.read(self.answers, 65536)
            if not more:
                with open(self.log, errors="replace") as log:
                    raise SystemExit("the browser has ended: " + "".join(log.readlines()[-5:]))
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def value(self, script):
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True)
        if "exceptionDetails" in answer:
            raise SystemExit(f"{script}: {answer['exceptionDetails']['exception'].get('description')}")
        return answer["result"].get("value")

    def loads(self, act):
        """Does what leads to another page, and waits until that is there."""
        self.events = [event for event in self.events if event.get("method") != "Page.loadEventFired"]
        act()
        self.waits_for, self.waits_until = "a page", time.monotonic() + 60
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.hear())

    def complaints(self):
        kinds = ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")
        return [json.dumps(event["params"]) for event in self.events if event.get("method") in kinds]

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))


def main(port, folder, network, password):
    browser = Browser(port, folder)
    try:
        browser.open()
        print(json.dumps(walk(browser, folder, network, password)))
    finally:
        browser.process.terminate()
        try:
            browser.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            browser.process.kill()


def walk(browser, folder, network, password):
    press = "document.querySelector('button').click()"
    seen = {}

    browser.loads(lambda: browser.ask("Page.navigate", url="http://connectivitycheck.example/generate_204"))
    seen["page"] = browser.value("location.href")
    seen["networks"] = browser.value("[...document.querySelectorAll('bdi')].map(e => e.textContent)")
    # Wider than the telephone is, or too small for a finger.
    seen["width"] = browser.value("document.documentElement.scrollWidth")
    seen["lowest"] = browser.value(
        "Math.min(...[...document.querySelectorAll('label, button')].map(e => e.getBoundingClientRect().height))")
    browser.picture(f"{folder}/hotspot-1.png")

    choose = (
        f"[...document.querySelectorAll('label')].find(e => e.textContent.includes({json.dumps(network)})).click();"
        "document.querySelector('input[name=password]').value = ")
    browser.value(choose + "'short'")
    browser.loads(lambda: browser.value(press))
    seen["mistake"] = browser.value("document.querySelector('.wrong')?.textContent")
    browser.picture(f"{folder}/hotspot-2.png")

    browser.value(choose + json.dumps(password))
    browser.loads(lambda: browser.value(press))
    seen["goodbye"] = browser.value("document.body.innerText")
    browser.picture(f"{folder}/hotspot-3.png")
    seen["complaints"] = browser.complaints()
    return seen


if __name__ == "__main__":
    main(*sys.argv[1:])
