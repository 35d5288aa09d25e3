import Glibc
import Runtime
import TestSupport
import Testing

@testable import Hardware

@Suite("Taking what the owner has confirmed")
struct SetupTakerTests {
  /// The system's folders, and a player that may have put anything into its own.
  private final class Board {
    let folder = TempFolder()
    var state: FilePath { folder.path / "state" }
    var wishes: FilePath { state / SetupTaker.folderName }
    var wish: FilePath { SetupTaker.wish(in: state) }
    var network: FilePath { folder.path / "network" }
    var secret: FilePath { folder.path / "secret" }
    private var told: FilePath { folder.path / "told" }

    init() throws {
      try Folder.make(wishes)
      try Folder.make(told)
      try AtomicFile.replace(secret, with: Array("[board]\nname = secret\n".utf8))
    }

    func take() throws { try SetupTaker(state: state, network: network, told: told).run() }

    var outcome: SetupOutcome? {
      do throws(Fault) { return SetupOutcome(try AtomicFile.read(told / "result", limit: 100)) } catch { return nil }
    }

    func text(_ name: String) -> String? {
      do throws(Fault) {
        return String(decoding: try AtomicFile.read(network / name, limit: 9_999), as: UTF8.self)
      } catch { return nil }
    }

    func isThere(_ path: FilePath) -> Bool { path.withCString { access($0, F_OK) } == 0 }
    func link(_ from: FilePath, to: FilePath) { _ = from.withCString { from in to.withCString { symlink(from, $0) } } }
  }

  private static let whole = Array("[network]\nssid = Home\npassword = secret77\n[board]\nname = Küche 2\n".utf8)

  @Test("network and name are written for the system alone, and the wish goes")
  func whole() throws {
    let board = try Board()
    try AtomicFile.replace(board.wish, with: Self.whole)
    try board.take()
    #expect(board.outcome == .joining && !board.isThere(board.wish))
    #expect(board.text("wifi.conf")?.contains("\tsae_password=7365637265743737\n") == true)
    #expect(board.text("hostname") == "kueche-2\n")
    for (name, mode) in [("", mode_t(0o700)), ("wifi.conf", 0o600), ("hostname", 0o600)] {
      var facts = stat()
      #expect((name.isEmpty ? board.network : board.network / name).withCString { stat($0, &facts) } == 0)
      #expect(facts.st_mode & 0o777 == mode, "\(name)")
    }
    // A name alone leaves the network as it is.
    try AtomicFile.replace(board.wish, with: Array("[board]\nname = Car\n".utf8))
    try board.take()
    #expect(board.outcome == .done && board.text("hostname") == "car\n" && board.text("wifi.conf")?.isEmpty == false)
  }

  @Test("a network is forgotten, and one that is asked for at the same time is joined")
  func forget() throws {
    let board = try Board()
    try AtomicFile.replace(board.wish, with: Self.whole)
    try board.take()
    let ask = board.wishes / SetupTaker.forgetName
    try AtomicFile.replace(ask, with: [])
    try board.take()
    #expect(board.outcome == .leaving && board.text("wifi.conf") == nil && !board.isThere(ask))
    #expect(board.text("hostname") == "kueche-2\n")
    // A link leads nowhere.
    board.link(board.secret, to: ask)
    try AtomicFile.replace(board.wish, with: Array("[network]\nssid = Other\n".utf8))
    try board.take()
    #expect(board.outcome == .joining && board.isThere(board.secret) && !board.isThere(ask))
    #expect(board.text("wifi.conf")?.contains("ssid=4f74686572") == true)
  }

  @Test(
    "a wish with a mistake changes nothing, is told of, and goes",
    arguments: [
      "", "[network]\nssid = Home\npassword = short\n", "[network]\nssid = Home\nkey_mgmt = NONE\n",
      "[network]\nssid = Home\npassword = 12345678\n}\n", String(repeating: "#\n", count: 4_000),
    ])
  func mistakes(text: String) throws {
    let board = try Board()
    try AtomicFile.replace(board.wish, with: Array(text.utf8))
    let fault = try faultOf { try board.take() }
    #expect(fault.kind == .malformed && !fault.message.contains("12345678"))
    #expect(board.outcome == .refused && !board.isThere(board.wish) && board.text("wifi.conf") == nil)
  }

  @Test("no link is followed and no other's file is read: not in place of the wish, nor of a folder on the way")
  func links() throws {
    // In place of the wish: a link, a second name, a pipe, a folder.
    let makers: [(Board) -> Void] = [
      { $0.link($0.secret, to: $0.wish) },
      { board in _ = board.secret.withCString { secret in board.wish.withCString { link(secret, $0) } } },
      { _ = $0.wish.withCString { mkfifo($0, 0o600) } },
      { _ = $0.wish.withCString { mkdir($0, 0o700) } },
    ]
    for (index, make) in makers.enumerated() {
      let board = try Board()
      make(board)
      #expect(throws: Fault.self, "\(index)") { try board.take() }
      #expect(board.text("hostname") == nil && board.isThere(board.secret), "\(index)")
      #expect(board.outcome == .refused || board.outcome == .failed, "\(index)")
    }
    // In place of a folder: what lies behind the link stays.
    for isState in [true, false] {
      let board = try Board()
      let elsewhere = board.folder.path / "elsewhere"
      let target = isState ? elsewhere / SetupTaker.folderName : elsewhere
      try Folder.make(target)
      try AtomicFile.replace(target / StickSetup.fileName, with: Self.whole)
      let place = isState ? board.state : board.wishes
      _ = board.wishes.withCString { rmdir($0) }
      if isState { _ = place.withCString { rmdir($0) } }
      board.link(elsewhere, to: place)
      #expect(throws: Fault.self) { try board.take() }
      #expect(board.text("wifi.conf") == nil && board.isThere(target / StickSetup.fileName))
    }
  }

  @Test("where it cannot be written it says so, and the wish goes")
  func unwritable() throws {
    let board = try Board()
    try AtomicFile.replace(board.wish, with: Self.whole)
    try AtomicFile.replace(board.network, with: [])
    #expect(throws: Fault.self) { try board.take() }
    #expect(board.outcome == .failed && !board.isThere(board.wish))
  }

  @Test("without a wish nothing happens")
  func none() throws {
    let board = try Board()
    #expect(throws: Fault.self) { try board.take() }
    #expect(board.text("wifi.conf") == nil)
  }

  @Test("each outcome is one word that the player understands, and a sentence without the password")
  func words() throws {
    let setup = try StickSetup(parsing: Self.whole)
    for outcome in SetupOutcome.allCases {
      #expect(SetupOutcome(outcome.bytes) == outcome)
      let notice = outcome.notice(of: setup)
      #expect(!notice.message.isEmpty && !notice.message.contains("secret77"))
    }
    #expect(SetupOutcome(Array("joined\nand more".utf8)) == .joined && SetupOutcome(Array("x".utf8)) == nil)
    #expect(SetupOutcome.joined.notice(of: setup).message == "The board is called \"Küche 2\", and has joined \"Home\"")
  }
}
