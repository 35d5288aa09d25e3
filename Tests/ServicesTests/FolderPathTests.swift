import TestSupport
import Testing

@testable import Services

@Suite("Paths below a server's folder")
struct FolderPathTests {
  @Test(
    "what leads elsewhere is no path",
    arguments: [
      ("", FolderPath.Mistake.empty), ("/etc/passwd", .absolute), ("//other.example/a.mp3", .absolute),
      ("../a.mp3", .leavesFolder), ("a/../../b.mp3", .leavesFolder), ("a/..", .leavesFolder),
      ("./a.mp3", .leavesFolder), ("a\\..\\..\\b.mp3", .leavesFolder), ("http://other.example/a.mp3", .hasEmptyName),
      ("a//b.mp3", .hasEmptyName),
      ("a/", .hasEmptyName), ("a\r\nHost: b", .hasControls), ("a\u{0}b", .hasControls), ("a\u{7F}b", .hasControls),
      (String(repeating: "a", count: 1_025), .long),
    ])
  func mistakes(text: String, mistake: FolderPath.Mistake) {
    #expect(throws: mistake) { try FolderPath(text) }
  }

  @Test(
    "in an address no sign of a name means anything",
    arguments: [
      ("a/b.flac", "a/b.flac"), ("AC/DC #1?.mp3", "AC/DC%20%231%3F.mp3"), ("50%.mp3", "50%25.mp3"),
      ("%2e%2e/a.mp3", "%252e%252e/a.mp3"), ("http:a", "http%3Aa"), ("Käse.mp3", "K%C3%A4se.mp3"),
      ("a\\b", "a%5Cb"), ("...", "..."), ("user@host:80", "user%40host%3A80"),
    ])
  func encoded(text: String, address: String) throws { #expect(try FolderPath(text).encoded == address) }

  @Test("whatever a path is made of, its address lies in the folder, and says what the path says")
  func walk() throws {
    let folder = try #require(FolderAddress("https://music.example:8443/a b".replacing(" ", by: "%20")))
    var generator = SeededGenerator(seed: 3)
    let pieces = ["/", "..", ".", "%", "\\", "a", "é", " ", "?", "#", "\u{1}", ":", "@", "音"]
    for _ in 0..<5_000 {
      let text = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }.joined()
      guard let path = try? FolderPath(text) else { continue }
      let address = folder.address(of: path)
      #expect(address.hasPrefix("https://music.example:8443/a%20b/"))
      #expect(address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
      #expect(!address.dropFirst(8).split(separator: "/", omittingEmptySubsequences: false).contains(".."))
      #expect(decoded(path.encoded) == text)
    }
  }

  private func decoded(_ text: String) -> String {
    var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(
    "an address that is no plain folder's is none",
    arguments: [
      "ftp://a/", "file:///etc", "music.example/a", "https://", "https:///a", "https://a/?b=c", "https://a/#b",
      "https://a/b c", "https://a/\u{E9}", "https://a/\r\n",
    ])
  func noFolders(text: String) { #expect(FolderAddress(text) == nil) }

  @Test("a folder's address ends in a slash, and its path's ending is found")
  func folders() throws {
    #expect(FolderAddress("HTTP://a")?.text == "HTTP://a/")
    #expect(FolderAddress("https://a:1/b/")?.text == "https://a:1/b/")
    #expect(try FolderPath("a.b/C.FLAC").ending == "flac")
    #expect(try FolderPath("a.b/.hidden").ending == "")
  }

  @Test(
    "why an address is none is told without what may be a secret in it",
    arguments: [
      ("https://kiosk.local/music/?token=abc", "https://kiosk.local... is no address of a folder: its byte 27 is '?'"),
      ("https://me:ab c@kiosk.local/", "https://... is no address of a folder: its byte 14 is 0x20"),
      ("https://", "https:// is no address of a folder"), ("kiosk", "kiosk is no address of a folder"),
    ])
  func complaints(address: String, words: String) {
    #expect(FolderAddress(address) == nil)
    #expect(FolderAddress.complaint(about: address) == words)
  }

  @Test("what was encoded is decoded, and what was not stays as it is")
  func decodes() {
    for text in ["AC/DC & Co.", "Björk", "100 %", "a%2", "%zz", "日本"] {
      #expect(FolderPath.decode(FolderPath.encode(text)) == text)
    }
    #expect(FolderPath.decode("100%") == "100%" && FolderPath.decode("%4") == "%4" && FolderPath.decode("%+1") == "%+1")
  }
}

extension String {
  fileprivate func replacing(_ one: Character, by other: String) -> String {
    map { $0 == one ? other : String($0) }.joined()
  }
}
