import Glibc
import Runtime
import TestSupport
import Testing

@Suite("The settings file on a stick")
struct StickSetupTests {
  private func setup(_ text: String) throws -> StickSetup { try StickSetup(parsing: Array(text.utf8)) }

  @Test("network and name are read, with a Windows editor's marks too")
  func whole() throws {
    let setup = try setup(
      "\u{FEFF}# mine\r\n[network]\r\nssid = \"Home # 5\"\r\npassword = correct horse\r\n[board]\r\nname = Küche\r\n")
    #expect(setup.network == .init(ssid: "Home # 5", password: "correct horse") && setup.boardName == "Küche")
    let open = try self.setup("[network]\nssid=Café\npassword=\n")
    #expect(open.network == .init(ssid: "Café", password: nil) && open.boardName == nil)
    let key = try self.setup("[network]\nssid=x\npassword=\(String(repeating: "aF09", count: 16))\n")
    #expect(key.network?.password?.count == 64)
  }

  private static let mistakes: [(String, Int)] = [
    ("", 1), ("# nothing\n", 1), ("[network]\n", 1),
    ("ssid = x\n", 1), ("[network]\nssid = x\nssid = y\n", 3), ("[network]\nssid = x\n[sound]\n", 3),
    ("[network]\nssid = x\nkey = y\n", 3), ("[network]\npassword = 12345678\n", 2), ("[network]\nssid =\n", 2),
    ("[network]\nssid = \(String(repeating: "x", count: 33))\n", 2), ("[network]\nssid = x\npassword = 1234567\n", 3),
    ("[network]\nssid = x\npassword = \(String(repeating: "x", count: 64))\n", 3),
    ("[network]\nssid = x\npassword = пароль-12345\n", 3), ("[network]\nssid = a\u{202E}b\n", 2),
    ("[board]\nname =\n", 2), ("[board]\nname = \(String(repeating: "x", count: 64))\n", 2),
    ("[board]\nname = a\u{1B}[2Jb\n", 2), ("[board]\nname = \"x\n", 2), (String(repeating: "#\n", count: 3_000), 1),
  ]

  @Test("a mistake refuses all of it, and names its line", arguments: mistakes)
  func refused(_ text: String, _ line: Int) throws {
    let fault = try faultOf { try StickSetup(parsing: Array(text.utf8)) }
    #expect(fault.code == "C-120" && fault.message.hasPrefix("layby-setup.conf:\(line): "), "\(fault)")
  }

  @Test("the password stands in no message and no description")
  func secret() throws {
    for line in ["password=secret", "password=\"secret77", "secret77", "passwort=secret77"] {
      let text = "[network]\nssid=x\n\(line)\n"
      let fault = try faultOf { try StickSetup(parsing: Array(text.utf8)) }
      #expect(!fault.message.contains("secret"))
    }
    let setup = try setup("[network]\nssid = Home\npassword = secret77\n[board]\nname = Kitchen\n")
    #expect("\(setup)" == "network Home, name Kitchen" && String(reflecting: setup) == "\(setup)")
  }

  @Test(
    "written down it is read again as the same, whatever quotes and blanks are in it",
    arguments: [
      "[network]\nssid = Home\npassword = secret77\n",
      "[network]\nssid = \" a # b \"\npassword = \"\\\"\\\\ # x = y]\"\n",
      "[board]\nname = Küche\n", "[network]\nssid = x\n[board]\nname = \"#1\"\n",
      "[network]\nssid=\" \"\npassword=\"        \"\n",
    ])
  func written(_ text: String) throws {
    let setup = try setup(text)
    #expect(try StickSetup(parsing: setup.bytes) == setup)
  }

  @Test(
    "a board's name as computers know it",
    arguments: [
      ("Kitchen", "kitchen"), ("Küche 2", "kueche-2"), ("  Mäx' Bus!  ", "maex-bus"), ("日本", "layby"), ("-", "layby"),
      ("Straße--7", "strasse-7"), ("a.b_c", "a-b-c"), ("ŁÓDŹ", "lodz"),
      (String(repeating: "ö", count: 31), String(repeating: "oe", count: 31)),
    ])
  func hostNames(_ name: String, _ host: String) throws {
    #expect(try setup("[board]\nname = \"\(name)\"\n").hostName == host)
    #expect(try setup("[network]\nssid = x\n").hostName == nil)
  }

  @Test("any bytes are an answer or a fault")
  func nonsense() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var dice = SeededGenerator(seed: seed)
    let whole = Array("[network]\nssid = \"Home\"\npassword = secret77\n[board]\nname = Kitchen\n".utf8)
    for _ in 0..<5_000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...8, using: &dice) {
        bytes[Int.random(in: bytes.indices, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
      }
      do throws(Fault) {
        let setup = try StickSetup(parsing: bytes)
        #expect((setup.network?.ssid.utf8.count ?? 1) <= 32 && (setup.boardName?.utf8.count ?? 1) <= 63, "seed \(seed)")
      } catch {
        #expect(error.code == "C-120", "seed \(seed)")
      }
    }
  }

  @Test("only a plain file of that name is read: no link, no pipe, no folder")
  func file() throws {
    let folder = TempFolder()
    let file = folder.path / StickSetup.fileName
    #expect(try StickSetup.read(from: folder.path) == nil)
    try AtomicFile.replace(folder.path / "other", with: Array("[board]\nname = x\n".utf8))
    #expect("\(folder.path)/other".withCString { from in file.withCString { symlink(from, $0) } } == 0)
    #expect(try StickSetup.read(from: folder.path) == nil)
    _ = file.withCString { unlink($0) }
    #expect(file.withCString { mkfifo($0, 0o600) } == 0)
    #expect(try StickSetup.read(from: folder.path) == nil)
    _ = file.withCString { unlink($0) }
    #expect(file.withCString { mkdir($0, 0o700) } == 0)
    #expect(try StickSetup.read(from: folder.path) == nil)
    _ = file.withCString { rmdir($0) }
    try AtomicFile.replace(file, with: Array("[board]\nname = x\n".utf8))
    #expect(try StickSetup.read(from: folder.path)?.boardName == "x")
    try AtomicFile.replace(file, with: [UInt8](repeating: 0x23, count: 5_000))
    let fault = try faultOf { try StickSetup.read(from: folder.path) }
    #expect(fault.code == "C-121")
  }
}
