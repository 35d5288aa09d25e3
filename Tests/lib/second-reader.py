# A second reader of what Sources/Rights, Sources/Seals and Sources/depot write, from their pages alone and with another
# library for the ciphers.
#
# second-reader.py RIGHTS SOURCE ROOT SEALED: opens a sealed track as a device would. RIGHTS is a device's folder
# `rights`, ROOT the root key as `trust` has it. Prints what the licence says, and the SHA-256 sum of the plain track.
#
# second-reader.py vectors FOLDER NAME...: reads those of Tests/Vectors; then changes a byte of each value, one at a time,
# and must notice. Prints for each "NAME CASES CHANGES". VectorTests do the same in Swift and compare.
import base64, hashlib, hmac, json, struct, sys
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

SUITES = {1: AESGCM, 2: ChaCha20Poly1305}


def base(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def unbase(text):
    raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    # Python passes over what is no base64, and over bits that stand for nothing.
    assert base(raw) == text
    return raw


def derived(secret, salt, purpose):
    return HKDF(algorithm=SHA256(), length=32, salt=salt, info=purpose).derive(secret)


def public(key):
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def signature_of(text, key):
    head, body, signature = text.split(".")
    Ed25519PublicKey.from_public_bytes(key).verify(unbase(signature), (head + "." + body).encode())
    return json.loads(unbase(head)), json.loads(unbase(body))


def signed(text, kind, key_of):
    header = json.loads(unbase(text.split(".")[0]))
    assert header["alg"] == "EdDSA" and header["typ"] == kind and "crit" not in header
    return signature_of(text, key_of(header["kid"]))[1]


def service_keys(text, root, use):
    listed = signed(text, "layby-keys+jwt", lambda kid: root)
    return {key["kid"]: unbase(key["x"]) for key in listed["keys"] if key["use"] == use}


class Device:
    """numbers: pairs of a path and what stands in that file."""

    def __init__(self, secret, numbers):
        assert len(secret) == 32
        salt = hashlib.sha256(b"".join(b"\0" + path + b"\0" + number for path, number in numbers)).digest()
        self.signing = Ed25519PrivateKey.from_private_bytes(derived(secret, salt, b"layby device signs 1"))
        self.agreeing = X25519PrivateKey.from_private_bytes(derived(secret, salt, b"layby device agrees 1"))
        self.clock = derived(secret, salt, b"layby device clock 1")
        self.session = derived(secret, salt, b"layby device session 1")
        self.name = base(hashlib.sha256(b"layby device 1" + public(self.signing) + public(self.agreeing)).digest())


def terms(root, licence):
    parts = (licence["id"], licence["serial"], licence["iat"], licence.get("exp"))
    return root + "\n".join("-" if part is None else str(part) for part in parts).encode()


def master_key(wrapped, device, bound):
    shared = device.agreeing.exchange(X25519PublicKey.from_public_bytes(wrapped[:32]))
    wrapping = derived(shared, wrapped[:32] + public(device.agreeing), b"layby master key 1")
    return ChaCha20Poly1305(wrapping).decrypt(bytes(12), wrapped[32:], bound)


def content_key(wrapped, key_id, master):
    return ChaCha20Poly1305(master).decrypt(wrapped[:12], wrapped[12:], key_id)


def content_of(licence, key_id, device, root):
    assert licence["device"] == device.name
    master = master_key(unbase(licence["master"]), device, terms(root, licence))
    key = next(key for key in licence["keys"] if unbase(key["kid"]) == key_id)
    return content_key(unbase(key["key"]), key_id, master)


def seal_header(sealed):
    mark, version, suite, bits, none, key_id, length = struct.unpack("<4sBBBB16sQ", sealed[:32])
    assert mark == b"LBSL" and version == 1 and none == 0 and sealed[32:64] == bytes(32)
    return suite, bits, key_id, length


def opened(sealed, key):
    suite, bits, key_id, length = seal_header(sealed)
    cipher = SUITES[suite](key)
    plain, place, number = b"", 64, 0
    while place < len(sealed):
        chunk = sealed[place:place + (1 << bits) + 16]
        counter = struct.pack(">Q", number)
        plain += cipher.decrypt(bytes(4) + counter, chunk, sealed[:64] + counter)
        place, number = place + len(chunk), number + 1
    assert len(plain) == length
    return plain


def one_track(folder, source, root, track):
    root = base64.b64decode(root)
    secret = open(folder + "/device", "rb").read()
    numbers = [(path, open(path, "rb").read()) for path in secret[32:].split(b"\n") if path]
    device = Device(secret[:32], numbers)
    sealed = open(track, "rb").read()
    key_id = seal_header(sealed)[2]
    content = None
    for bundle in map(json.loads, open(folder + "/licences/" + source + ".json")):
        keys = service_keys(bundle["keys"], root, "licence")
        for text in bundle["licences"]:
            licence = signed(text, "layby-licence+jwt", lambda kid: keys[kid])
            if licence["device"] == device.name and key_id in [unbase(key["kid"]) for key in licence["keys"]]:
                content = content_of(licence, key_id, device, root)
                print(licence["title"], licence["exp"] - licence["iat"])
    assert content, "there is no licence for it"
    print(hashlib.sha256(opened(sealed, content)).hexdigest())


# The vectors: each check is true when all that stands in the case belongs together, and else false or fails.

def unhex(text):
    raw = bytes.fromhex(text)
    assert raw.hex() == text
    return raw


def device_of(case):
    return Device(unhex(case["device_secret"]), [])


def check_seal(case):
    sealed, key = unhex(case["sealed"]), unhex(case["key"])
    pattern, length = unhex(case["plain_repeats"]), case["length"]
    plain = (pattern * (length // len(pattern) + 1))[:length]
    header = (case["suite"], case["chunk_bits"], unhex(case["key_id"]), length)
    return seal_header(sealed) == header and opened(sealed, key) == plain


def check_device(case):
    device = Device(unhex(case["device_secret"]), [(case["path"].encode(), case["number"].encode())])
    found = (public(device.signing).hex(), public(device.agreeing).hex(), device.name,
             device.clock.hex(), device.session.hex())
    return found == tuple(case[part] for part in ("signs", "agrees", "device", "clock_key", "session_key"))


def check_master(case):
    bound = terms(unhex(case["root"]), case)
    return master_key(unhex(case["wrapped"]), device_of(case), bound) == unhex(case["master"])


def check_content(case):
    key = content_key(unhex(case["wrapped"]), unhex(case["key_id"]), unhex(case["master"]))
    return key == unhex(case["content"])


def check_keys(case):
    return service_keys(case["keys"], unhex(case["root"]), case["use"])[case["kid"]] == unhex(case["x"])


def document(case, kind, use):
    keys = service_keys(case["keys"], unhex(case["root"]), use)
    return signed(case[use], kind, lambda kid: keys[kid])


def check_licence(case):
    body = document(case, "layby-licence+jwt", "licence")
    content = content_of(body, unhex(case["key_id"]), device_of(case), unhex(case["root"]))
    said = (content.hex(), body["id"], body["serial"], body["title"], body["iat"], body["exp"], body["play_days"])
    parts = ("content", "id", "serial", "title", "iat", "exp", "play_days")
    return said == tuple(case[part] for part in parts)


def check_statement(case):
    body = document(case, "layby-statement+jwt", "statement")
    revoked = body["revoked"]
    licences = {one["id"]: one["why"] for one in revoked["licences"]}
    tracks = {unbase(one["kid"]).hex(): one["why"] for one in revoked["tracks"]}
    said = (body["device"], body["number"], body["iat"], body["subscription"], body["grace_until"], body["region"])
    parts = ("device", "number", "iat", "subscription", "grace_until", "region")
    return (said == tuple(case[part] for part in parts) and licences[case["licence_id"]] == case["licence_why"]
            and tracks[case["key_id"]] == case["track_why"])


def check_time(case):
    body = document(case, "layby-time+jwt", "time")
    return body["nonce"] == base(unhex(case["nonce"])) and body["time"] == case["seconds"]


def check_proof(case):
    header = json.loads(unbase(case["proof"].split(".")[0]))
    key = header["jwk"]
    assert header["typ"] == "dpop+jwt" and header["alg"] == "EdDSA"
    assert key["kty"] == "OKP" and key["crv"] == "Ed25519" and "d" not in key
    body = signature_of(case["proof"], unbase(key["x"]))[1]
    thumbprint = json.dumps({name: key[name] for name in ("crv", "kty", "x")}, separators=(",", ":"))
    said = (body["htm"], body["htu"], body["nonce"], body["jti"], body["ath"], unbase(key["x"]).hex(),
            base(hashlib.sha256(thumbprint.encode()).digest()))
    wanted = [case[part] for part in ("method", "address", "nonce", "id", "token", "key", "thumbprint")]
    wanted[4] = base(hashlib.sha256(wanted[4].encode()).digest())
    return list(said) == wanted


def check_note(case):
    sealed = unhex(case["sealed"])
    key = ChaCha20Poly1305(device_of(case).session)
    return key.decrypt(sealed[:12], sealed[12:], case["source"].encode()) == case["plain"].encode()


def check_clock(case):
    line, ended = case["file"].split("\n", 1)
    known = json.loads(line)["clock"]
    summed = hmac.new(device_of(case).clock, line.encode(), "sha256").digest()
    parts = ("floor", "proven", "boot", "uptime", "signed_boot")
    return (ended.endswith("\n") and hmac.compare_digest(unbase(ended[:-1]), summed)
            and all(known[part] == case[part] for part in parts))


def service_sum(case, text):
    key = derived(unhex(case["service_secret"]), b"", b"layby depot " + case["purpose"].encode() + b" 1")
    return base(hmac.new(key, text.encode(), "sha256").digest())


def check_refresh(case):
    said = f'{base(unhex(case["session"]))}.{case["number"]}'
    return case["token"] == f"{said}.{service_sum(case, said)}"


def check_stamped(case):
    number = str(case["number"])
    return case["text"] == number + "." + service_sum(case, number + "\n" + case["subject"])


CHECKS = {
    "seal": check_seal, "device": check_device, "master-key": check_master, "content-key": check_content,
    "keys": check_keys, "licence": check_licence, "statement": check_statement, "time": check_time,
    "proof": check_proof, "note": check_note, "clock": check_clock, "refresh-token": check_refresh,
    "stamped-text": check_stamped,
}


def holds(check, case):
    try:
        return check(case)
    except Exception:
        return False


def changes(value):
    """Of a number the next; of a text each of its first 128 letters, and then some of them, is another one."""
    if isinstance(value, int):
        yield value + 1
    elif isinstance(value, str):
        for place in range(len(value)):
            if place < 128 or place % (len(value) // 64) == 0:
                yield value[:place] + ("b" if value[place] == "a" else "a") + value[place + 1:]


def vectors(folder, names):
    for name in names:
        cases, count = json.load(open(f"{folder}/{name}.json"))["cases"], 0
        for number, case in enumerate(cases):
            assert holds(CHECKS[name], case), f"{name}: case {number} does not hold"
            for part, value in case.items():
                for changed in changes(value):
                    count += 1
                    is_noticed = not holds(CHECKS[name], {**case, part: changed})
                    assert is_noticed, f"{name}: {part} of case {number} may be {changed}"
        print(name, len(cases), count)


if __name__ == "__main__":
    if sys.argv[1:2] == ["vectors"]:
        vectors(sys.argv[2], sys.argv[3:])
    else:
        one_track(*sys.argv[1:])
