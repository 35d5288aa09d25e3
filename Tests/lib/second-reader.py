# second-reader.py RIGHTS SOURCE ROOT SEALED: opens a sealed track as a device would, written from the pages of
# Sources/Rights and Sources/Seals alone, with another library for the ciphers. RIGHTS is a device's folder `rights`, ROOT
# the root key as `trust` has it. Prints what the licence says, and the SHA-256 sum of the plain track.
import base64, hashlib, json, struct, sys
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def unbase(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def base(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def derived(secret, salt, purpose):
    return HKDF(algorithm=SHA256(), length=32, salt=salt, info=purpose).derive(secret)


def public(key):
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def signed(text, kind, key_of):
    head, body, signature = text.split(".")
    header = json.loads(unbase(head))
    assert header["alg"] == "EdDSA" and header["typ"] == kind and "crit" not in header
    key = Ed25519PublicKey.from_public_bytes(key_of(header["kid"]))
    key.verify(unbase(signature), (head + "." + body).encode())
    return json.loads(unbase(body))


folder, source, root, track = sys.argv[1:]

# The device: its secret, and the files in which the board says its numbers.
device = open(folder + "/device", "rb").read()
numbers = [(path, open(path, "rb").read()) for path in device[32:].split(b"\n") if path]
salt = hashlib.sha256(b"".join(b"\0" + path + b"\0" + number for path, number in numbers)).digest()
signing = Ed25519PrivateKey.from_private_bytes(derived(device[:32], salt, b"layby device signs 1"))
agreeing = X25519PrivateKey.from_private_bytes(derived(device[:32], salt, b"layby device agrees 1"))
name = base(hashlib.sha256(b"layby device 1" + public(signing) + public(agreeing)).digest())

# The seal.
sealed = open(track, "rb").read()
mark, version, suite, bits, none, key_id, length = struct.unpack("<4sBBBB16sQ", sealed[:32])
assert mark == b"LBSL" and version == 1 and none == 0 and sealed[32:64] == bytes(32)

# The licences.
licences = []
for bundle in json.load(open(folder + "/licences/" + source + ".json")):
    listed = signed(bundle["keys"], "layby-keys+jwt", lambda kid: base64.b64decode(root))
    keys = {key["kid"]: unbase(key["x"]) for key in listed["keys"] if key["use"] == "licence"}
    licences += [signed(text, "layby-licence+jwt", lambda kid: keys[kid]) for text in bundle["licences"]]
content = None
for licence in licences:
    for key in licence["keys"]:
        if licence["device"] != name or unbase(key["kid"]) != key_id:
            continue
        wrapped = unbase(licence["master"])
        shared = agreeing.exchange(X25519PublicKey.from_public_bytes(wrapped[:32]))
        wrapping = derived(shared, wrapped[:32] + public(agreeing), b"layby master key 1")
        terms = "\n".join(str(licence.get(part, "-")) for part in ("id", "serial", "iat", "exp"))
        bound = base64.b64decode(root) + terms.encode()
        master = ChaCha20Poly1305(wrapping).decrypt(bytes(12), wrapped[32:], bound)
        one = unbase(key["key"])
        content = ChaCha20Poly1305(master).decrypt(one[:12], one[12:], key_id)
        print(licence["title"], licence["exp"] - licence["iat"])
assert content, "there is no licence for it"

cipher = {1: AESGCM, 2: ChaCha20Poly1305}[suite](content)
plain, place, number = b"", 64, 0
while place < len(sealed):
    chunk = sealed[place:place + (1 << bits) + 16]
    counter = struct.pack(">Q", number)
    plain += cipher.decrypt(bytes(4) + counter, chunk, sealed[:64] + counter)
    place, number = place + len(chunk), number + 1
assert len(plain) == length
print(hashlib.sha256(plain).hexdigest())
