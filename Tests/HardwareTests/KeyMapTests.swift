import Glibc
import Hardware
import Runtime
import TestSupport
import Testing

private let table = SettingsTable(HardwareSettings.settings)

@Suite("The map of keys")
struct KeyMapTests {
  static func key(_ name: String) throws -> KeyName { try #require(KeyName(name)) }

  static func board(_ text: String) throws -> Settings {
    try table.read(board: Array("[keys]\n\(text)".utf8), owner: nil, lastGood: { _ in nil }).settings
  }

  @Test("without a word from anybody keys mean what is printed on them")
  func builtIn() throws {
    let map = KeyMap()
    for row in EventKeys.keys { #expect(map.meaning(of: row.key) == row.meaning && map.from(row.key) == .builtIn) }
    #expect(map.meaning(of: try Self.key("KEY_A")) == nil)
    #expect(Set(EventKeys.keys.map(\.key)).count == EventKeys.keys.count, "no key stands there twice")
    #expect(map.learned == Settings())
  }

  @Test("every meaning has its key in board.conf")
  func names() { #expect(KeyMeaning.all.map(\.name) == Setting.keyMeanings) }

  @Test("board.conf adds to it and wins over it; what was learned wins over both")
  func layers() throws {
    let (space, f1) = (try Self.key("KEY_SPACE"), try Self.key("KEY_F1"))
    var map = KeyMap(board: try Self.board("next = KEY_SPACE\nturn_far_left = KEY_F1\nnothing = KEY_PLAY"))
    #expect(map.meaning(of: space) == .button(.next) && map.from(space) == .board)
    #expect(map.meaning(of: f1) == .turn(-5))
    #expect(map.meaning(of: try Self.key("KEY_PLAY")) == .nothing)
    #expect(map.meaning(of: try Self.key("KEY_PLAYPAUSE")) == .button(.play))
    map.bind(space, to: .home)
    #expect(map.meaning(of: space) == .button(.home) && map.from(space) == .learned)
    map.forget(space)
    #expect(map.meaning(of: space) == .button(.next))
  }

  @Test("a key that two have is the first's, and is told")
  func doubled() throws {
    let settings = try Self.board("next = KEY_F1\nplay = KEY_F2, KEY_F1")
    #expect(KeyMap.doubled(in: settings) == [try Self.key("KEY_F1")])
    #expect(KeyMap(board: settings).meaning(of: try Self.key("KEY_F1")) == .button(.play))
    #expect(KeyMap.doubled(in: try Self.board("next = KEY_F1\nplay = KEY_F2")) == [])
  }

  @Test("whatever is bound and unbound, each key has one row, and the file gives back the same map")
  func walk() throws {
    for seed in UInt64(1)...10 {
      var generator = SeededGenerator(seed: seed)
      let pool = (0..<12).compactMap { _ in KeyName(code: Int.random(in: 1...767, using: &generator)) }
      let keys = pool + [try Self.key("KEY_SPACE"), try Self.key("KEY_PLAY"), try Self.key("KEY_F1")]
      let board = try Self.board("next = KEY_F1\nback = code:\(pool[0].code)")
      var map = KeyMap(board: board)
      for _ in 0..<60 {
        let key = keys[Int.random(in: 0..<keys.count, using: &generator)]
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
          map.unbind(key)
          #expect(map.meaning(of: key) ?? .nothing == .nothing, "seed \(seed)")
        case 1:
          map.forget(key)
          #expect(map.meaning(of: key) == KeyMap(board: board).meaning(of: key), "seed \(seed)")
        default:
          let meaning = KeyMeaning.all[Int.random(in: 0..<KeyMeaning.all.count, using: &generator)]
          map.bind(key, to: meaning)
          #expect(map.meaning(of: key) == meaning, "seed \(seed)")
        }
        let text = map.learned.fileText(.board, in: table)
        #expect(
          KeyMap(board: board, learned: try table.learned("keys", from: Array(text.utf8), shownAs: "keys")) == map,
          "seed \(seed)")
        #expect(map.rows.map(\.meaning) == KeyMeaning.all)
        let shown = map.rows.flatMap(\.keys)
        #expect(Set(shown.map(\.name)).count == shown.count, "seed \(seed)")
        for row in map.rows {
          for key in row.keys { #expect(map.meaning(of: key.name) == row.meaning && map.from(key.name) == key.from) }
        }
      }
    }
  }

  @Test("a device is useful by one key with a meaning or one wheel, and by what was learned of it")
  func useful() throws {
    var map = KeyMap()
    var keys = [UInt8](repeating: 0, count: 96)
    #expect(!map.isUseful(keys: keys, axes: [0]) && !map.isUseful(keys: [], axes: []))
    #expect(!map.isUseful(keys: [], axes: [0b11]), "a mouse without a wheel")
    #expect(map.isUseful(keys: [], axes: [0, 1]), "REL_WHEEL")
    #expect(map.isUseful(keys: [], axes: [0x80]), "REL_DIAL")
    keys[30 / 8] = 1 << (30 % 8)
    #expect(!map.isUseful(keys: keys, axes: []), "a letter")
    map.bind(try Self.key("KEY_A"), to: .play)
    #expect(map.isUseful(keys: keys, axes: []))
    map.unbind(try Self.key("KEY_A"))
    #expect(!map.isUseful(keys: keys, axes: []))
    keys[352 / 8] = 1
    #expect(map.isUseful(keys: keys, axes: []))
  }
}

@Suite("What keys were taught, on the disk")
struct LearnedKeysTests {
  private let folder = TempFolder()

  private func write(_ bytes: [UInt8]) throws { try AtomicFile.replace(LearnedKeys.path(in: folder.path), with: bytes) }

  private func isThere(_ path: FilePath) -> Bool { path.withCString { access($0, F_OK) } == 0 }

  @Test("what was learned is there after the next start")
  func kept() throws {
    #expect(LearnedKeys.read(in: folder.path).notice == nil, "no file is no fault")
    var map = KeyMap()
    map.bind(try KeyMapTests.key("code:190"), to: .play)
    map.bind(try KeyMapTests.key("KEY_W"), to: .turn(1))
    map.unbind(try KeyMapTests.key("KEY_SPACE"))
    for _ in 0..<2 {
      try LearnedKeys.keep(map, in: folder.path)
      let (learned, notice) = LearnedKeys.read(in: folder.path)
      #expect(notice == nil)
      #expect(KeyMap(learned: learned) == map)
    }
    let text = String(decoding: try AtomicFile.read(LearnedKeys.path(in: folder.path), limit: 9_999), as: UTF8.self)
    #expect(text.hasSuffix("[keys]\nplay = KEY_F20\nturn_right = KEY_W\nnothing = KEY_SPACE\n"), "\(text)")
  }

  static let broken: [[UInt8]] = [
    Array("[keys]\nplay = KEY_PLYA\n".utf8), Array("[keys]\nplya = KEY_PLAY\n".utf8), Array("[board]\nname = x\n".utf8),
    [0x5B, 0x00, 0xFF], [UInt8](repeating: 0, count: 4_096), [UInt8](repeating: 0x23, count: SettingsFile.limit + 1),
  ]

  @Test("a broken file is put aside and told of, and nothing counts as learned", arguments: broken)
  func brokenFile(_ bytes: [UInt8]) throws {
    try write(bytes)
    let (learned, notice) = LearnedKeys.read(in: folder.path)
    #expect(learned == Settings())
    #expect(notice?.code == "H-240" && notice?.message.contains("keys.broken") == true, "\(String(describing: notice))")
    #expect(!isThere(LearnedKeys.path(in: folder.path)) && isThere(LearnedKeys.brokenPath(in: folder.path)))
    #expect(LearnedKeys.read(in: folder.path).notice == nil, "told once")
  }

  @Test("a folder that takes no file says so")
  func noFolder() throws {
    let gone = folder.path / "gone"
    #expect(try faultOf { try LearnedKeys.keep(KeyMap(), in: gone) }.message.contains("gone"))
    #expect(LearnedKeys.read(in: gone).notice == nil)
  }
}
