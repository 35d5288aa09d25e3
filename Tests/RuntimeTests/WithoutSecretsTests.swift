import Runtime
import Testing

@Suite("Addresses in notices")
struct WithoutSecretsTests {
  @Test(
    "how it is reached and whose it is are told, and nothing that may be a secret",
    arguments: [
      ("https://kiosk.local", "https://kiosk.local"), ("https://kiosk.local:8443/", "https://kiosk.local:8443/"),
      ("https://kiosk.local/music/?token=abc", "https://kiosk.local..."),
      ("http://kiosk.local:80/abc/", "http://kiosk.local:80..."), ("http://a?abc", "http://a..."),
      ("http://[2001:db8::1]/abc", "http://[2001:db8::1]..."), ("http://[::1]:80/", "http://[::1]:80/"),
      ("https://me:abc@kiosk.local/", "https://..."), ("https://me:ab c@kiosk.local/", "https://..."),
      ("https://me:a/bc@kiosk.local/", "https://..."), ("https://kiosk.local/?a=b@abc", "https://..."),
      ("https://me:abc", "https://me..."), ("https://me:123456", "https://me..."),
      ("url = \"https://a b", "url = \"https://a..."),
      ("kiosk", "kiosk"), ("://", "://"), ("", ""), ("a\u{1B}b", "a\u{FFFD}b"),
    ])
  func shown(text: String, shown: String) { #expect(withoutSecrets(text) == shown) }
}
