# A device of a depot by other code than ours: it signs in, and gives schemathesis what it needs to ask as that device.
# Used by the step depot-api: schemathesis loads this file, and DEPOT_URL, DEPOT_ACCOUNT and DEPOT_PASSWORD say where and as
# whom. As a program it signs in, asks some questions and prints what it was answered.
import base64
import hashlib
import http.cookiejar
import json
import os
import re
import secrets
import time
import urllib.error
import urllib.parse
import urllib.request

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

RAW = dict(encoding=serialization.Encoding.Raw, format=serialization.PublicFormat.Raw)


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Device:
    def __init__(self, url):
        self.url, self.nonce, self.access = url.rstrip("/"), None, None
        self.signing, self.agreeing = Ed25519PrivateKey.generate(), X25519PrivateKey.generate()
        signs, agrees = (k.public_key().public_bytes(**RAW) for k in (self.signing, self.agreeing))
        self.name = b64(hashlib.sha256(b"layby device 1" + signs + agrees).digest())
        self.card = json.dumps({"layby_device": 1, "device": self.name, "signs": b64(signs), "agrees": b64(agrees)})
        self.jwk = {"kty": "OKP", "crv": "Ed25519", "x": b64(signs)}

    def proof(self, method, url, token=None):
        header = {"alg": "EdDSA", "typ": "dpop+jwt", "jwk": self.jwk}
        body = {"jti": secrets.token_urlsafe(16), "htm": method, "htu": url.split("?")[0], "iat": int(time.time())}
        if token:
            body["ath"] = b64(hashlib.sha256(token.encode()).digest())
        if self.nonce:
            body["nonce"] = self.nonce
        signed = ".".join(b64(json.dumps(part).encode()) for part in (header, body))
        return signed + "." + b64(self.signing.sign(signed.encode()))

    def headers(self, method, url):
        return {"Authorization": "DPoP " + self.access, "DPoP": self.proof(method, url, self.access)}

    def ask(self, method, path, form=None, body=None, headers=None, signed=True):
        """Status, headers and bytes; goes on with a newer nonce by itself."""
        url = path if path.startswith("http") else self.url + path
        for _ in range(2):
            send = dict(headers or {})
            data = None
            if form is not None:
                data = urllib.parse.urlencode(form).encode()
            if body is not None:
                data, send["Content-Type"] = json.dumps(body).encode(), "application/json"
            if signed:
                send.update(self.headers(method, url) if self.access else {"DPoP": self.proof(method, url)})
            request = urllib.request.Request(url, data=data, method=method, headers=send)
            try:
                answer = urllib.request.urlopen(request)
            except urllib.error.HTTPError as error:
                answer = error
            content = answer.read()
            self.nonce = answer.headers.get("DPoP-Nonce", self.nonce)
            if answer.status == 401 and b"use_dpop_nonce" in content:
                continue
            return answer.status, answer.headers, content
        raise SystemExit("no nonce was taken: " + content.decode())

    def approve(self, page, account, password):
        opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar(
                policy=http.cookiejar.DefaultCookiePolicy(strict_ns_domain=0))))
        html = opener.open(page).read().decode()
        field = lambda name: re.search(f'name="{name}"[^>]* value="([^"]*)"', html).group(1)
        form = {"form": field("form"), "code": field("code"), "account": account, "password": password}
        return opener.open(page.split("?")[0], urllib.parse.urlencode(form).encode()).read().decode()

    def sign_in(self, account, password):
        status, _, content = self.ask("POST", "/v1/sign-in/device", {"client_id": "layby", "device": self.card})
        assert status == 200, (status, content)
        codes = json.loads(content)
        self.approve(codes["verification_uri_complete"], account, password)
        self.take({"grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": codes["device_code"]})

    def refresh(self):
        self.take({"grant_type": "refresh_token", "refresh_token": self.refresh_token})

    def take(self, form):
        self.access = None
        status, _, content = self.ask("POST", "/v1/sign-in/token", {"client_id": "layby", **form})
        assert status == 200, (status, content)
        tokens = json.loads(content)
        self.access, self.refresh_token, self.since = tokens["access_token"], tokens["refresh_token"], time.time()


def from_environment():
    device = Device(os.environ["DEPOT_URL"])
    device.sign_in(os.environ["DEPOT_ACCOUNT"], os.environ["DEPOT_PASSWORD"])
    return device


if __name__ == "__main__":
    device = from_environment()
    for path in ("account", "lists", "licences", "statement", "changes", "catalogue", "flags", "search?q=pre"):
        print(path, *device.ask("GET", "/v1/" + path)[::2])
    index = json.loads(device.ask("GET", "/v1/index")[2])
    print("lists of the index", index["lists"])
    media = json.loads(device.ask("POST", "/v1/media", body={"path": index["items"][0]["path"]})[2])
    sealed = urllib.request.urlopen(media["url"]).read()
    print("media", len(sealed), hashlib.sha256(sealed).hexdigest() == index["items"][0]["sha256"])
    ids = [one["id"] for one in json.loads(device.ask("GET", "/v1/licences")[2])["licences"]]
    print("licences", device.ask("POST", "/v1/licences", body={"ids": ids})[0])
    device.refresh()
    print("refreshed", device.ask("GET", "/v1/account")[0])
else:
    import schemathesis

    known = {}

    # Asked as a device where the description says so; schemathesis itself leaves it out to see that it is needed.
    @schemathesis.auth(refresh_interval=300)
    class AsDevice:
        def get(self, case, context):
            if "device" in known:
                known["device"].refresh()
            else:
                known["device"] = from_environment()
            return known["device"]

        def set(self, case, device, context):
            url = device.url + case.formatted_path
            case.headers = dict(case.headers or {})
            case.headers.update(device.headers(case.method.upper(), url))

    @schemathesis.hook
    def after_call(context, case, response):
        nonce = response.headers.get("dpop-nonce")
        if nonce and "device" in known:
            known["device"].nonce = nonce[0] if isinstance(nonce, list) else nonce
