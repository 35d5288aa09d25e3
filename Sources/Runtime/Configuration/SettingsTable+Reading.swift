extension SettingsTable {
  /// The board's file must be right. A mistake in the owner's file costs the key that it is about: what the file says
  /// rightly counts, and what it does not say, or not rightly, is as it was in the last good one. So a key whose name is
  /// misspelt never frees what it was to hold back, and where there is no last good file the volume is held lower.
  package func read(
    board: [UInt8], shownAs boardName: String = SettingsFile.board.rawValue, owner: Result<[UInt8], Fault>?,
    shownAs ownerName: String = SettingsFile.owner.rawValue, lastGood: (Settings) -> [UInt8]?
  ) throws(Fault) -> SettingsReading {
    let base: [SettingName: String]
    switch values(board, as: .board, shownAs: boardName, code: "C-102") {
    case .success(let values): base = values
    case .failure(let fault): throw fault
    }
    guard let owner else { return SettingsReading(settings: Settings(base), owner: .defaults, notices: []) }
    let bytes: [UInt8]
    switch owner {
    case .success(let read):
      // Not a byte is what a power cut leaves of a file that was being written, and what a pipe in its place gives. It
      // must not open a kiosk, nor become the last good file itself.
      if read.isEmpty, let kept = lastGood(Settings(base)), !kept.isEmpty {
        let fault = Fault(
          .damaged, "C-106", "\(ownerName) is empty; for the defaults write a line with # alone into it, or delete it")
        return fallBack(to: kept, shownAs: ownerName, base, after: fault)
      }
      bytes = read
    case .failure(let fault): return fallBack(to: lastGood(Settings(base)), shownAs: ownerName, base, after: fault)
    }
    let parser = SettingsParser(bytes, as: .owner, shownAs: ownerName, in: self)
    guard let mistakes = parser.allMistakes else {
      return SettingsReading(settings: Settings(base + parser.values), owner: .file(bytes), notices: [])
    }
    guard let before = self.lastGood(lastGood(Settings(base)), shownAs: ownerName) else {
      let held = entries.reduce(into: [SettingName: String]()) { held, entry in
        if parser.doubtful.contains(entry.name) { held[entry.name] = entry.cautious }
      }
      let notice = Notice("C-103", mistakes, instead: "all else in the file counts, and this has its default")
      return SettingsReading(settings: Settings(base + held + parser.values), owner: .partly, notices: [notice])
    }
    let notice = Notice("C-103", mistakes, instead: "all else in the file counts, and this is as it was last time")
    return SettingsReading(settings: Settings(base + before + parser.values), owner: .partly, notices: [notice])
  }

  /// Nothing of the owner's file can be read.
  private func fallBack(
    to kept: [UInt8]?, shownAs name: String, _ base: [SettingName: String], after fault: Fault
  ) -> SettingsReading {
    if let values = lastGood(kept, shownAs: name) {
      let notice = Notice(fault, instead: "the settings of last time are used")
      return SettingsReading(settings: Settings(base + values), owner: .lastGood, notices: [notice])
    }
    let notice = Notice(fault, instead: "the defaults are used")
    return SettingsReading(settings: Settings(base), owner: .defaults, notices: [notice])
  }

  private func lastGood(_ kept: [UInt8]?, shownAs name: String) -> [SettingName: String]? {
    let shown = "the last good \(name)"
    guard let kept, case .success(let values) = values(kept, as: .owner, shownAs: shown, code: "C-104") else {
      return nil
    }
    return values
  }

  /// What is wrong in an owner's file, by itself; nil when nothing is.
  package func mistakes(inOwner bytes: [UInt8], shownAs name: String) -> Fault? {
    SettingsParser(bytes, as: .owner, shownAs: name, in: self).allMistakes?.fault("C-103")
  }

  private func values(
    _ bytes: [UInt8], as file: SettingsFile, shownAs name: String, code: String
  ) -> Result<[SettingName: String], Fault> {
    let parser = SettingsParser(bytes, as: file, shownAs: name, in: self)
    return parser.allMistakes.map { .failure($0.fault(code)) } ?? .success(parser.values)
  }

  /// The files themselves. No owner's file is no fault; one that cannot be read is like one with a mistake.
  /// `lastGood` gets the board's settings because they say where the state folder is.
  package func load(
    board: FilePath, owner: FilePath?, lastGood: (Settings) -> [UInt8]?
  ) throws(Fault) -> SettingsReading {
    let boardBytes: [UInt8]
    do throws(Fault) {
      boardBytes = try AtomicFile.read(board, limit: SettingsFile.limit)
    } catch { throw Fault(error.kind, "C-101", "cannot start without the board's file: \(error.message)") }
    var ownerBytes: Result<[UInt8], Fault>?
    if let owner {
      do throws(Fault) {
        ownerBytes = .success(try AtomicFile.read(owner, limit: SettingsFile.limit))
      } catch { if error.kind != .missing { ownerBytes = .failure(error) } }
    }
    return try read(
      board: boardBytes, shownAs: board.description, owner: ownerBytes,
      shownAs: owner?.description ?? SettingsFile.owner.rawValue, lastGood: lastGood)
  }

  /// What the board's file says in the sections of this table, for a program that obeys only these: the rest is the
  /// player's, and is not looked at.
  package func own(ofBoard path: FilePath) throws(Fault) -> Settings {
    let known = sections(of: .board)
    var isOwn = false
    var own: [UInt8] = []
    for line in SettingsText.lines(of: try AtomicFile.read(path, limit: SettingsFile.limit)) {
      do throws(SettingsText.Wrong) {
        if case .section(let name) = try SettingsText.read(line) { isOwn = known.contains(name) }
      } catch {}  // It counts as a mistake below, if it is in a section of ours.
      // The others stay as empty lines, so that a mistake is told with its number.
      own += (isOwn ? line : []) + [UInt8(ascii: "\n")]
    }
    return try read(board: own, shownAs: path.description, owner: nil) { _ in nil }.settings
  }

  /// A file that says nothing but what one section of board.conf may say: what the board was taught. In it each key
  /// that was written, and no other.
  package func learned(
    _ section: String, from bytes: [UInt8], shownAs name: String
  ) throws(Fault) -> Settings {
    let read: Settings
    do throws(Fault) {
      read = try self.read(board: bytes, shownAs: name, owner: nil, lastGood: { _ in nil }).settings
    } catch { throw Fault(.damaged, "C-105", error.message) }
    guard read.speaks(onlyOf: section) else {
      throw Fault(.damaged, "C-105", "\(name) says more than it was taught; expected the section [\(section)] alone")
    }
    return read
  }
}

private func + (base: [SettingName: String], values: [SettingName: String]) -> [SettingName: String] {
  base.merging(values) { _, new in new }
}
