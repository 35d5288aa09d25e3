import Audio
import Formats
import Glibc
import Library
import Offline
import Playback
import Remote
import Runtime
import Services

/// The arguments of a verb as they go to the player. It has its own working folder, so paths go from the root on;
/// folders go as the music in them, playlists as their entries.
struct MusicArguments {
  /// What playlists name and is not there, as they write it.
  private(set) var missing: [String] = []
  /// Why files that were named, or that playlists name, are no music for this player.
  private(set) var refused: [Fault] = []
  /// The verb was given files; what an answer refuses are some of them.
  private(set) var areFiles = false
  private var raw = RawArguments.Paths()
  /// The names of folders that entries of playlists lead through.
  private var folders: [FilePath: PlaylistPath.Names?] = [:]
  /// Which files the player has a decoder for, of those that were looked at: the tracks of a cue sheet name one file
  /// again and again.
  private var looked: [FilePath: Bool] = [:]

  /// What fits no form of the verb goes as it is, and the player says what was expected.
  mutating func prepared(_ arguments: [String], for verb: Verb) throws(Fault) -> [JSON] {
    let plain = arguments.map { JSON($0) }
    guard let kinds = verb.kinds(of: plain), kinds.contains(where: { $0?.isPath == true }) else { return plain }
    areFiles = true
    var prepared: [JSON] = []
    var (words, found): ([String], Int) = ([], 0)
    for (word, kind) in zip(arguments, kinds) {
      guard kind?.isPath == true, let path = raw.path(word) else {
        prepared.append(JSON(word))
        continue
      }
      if kind == .path {
        prepared.append(JSON(path: Self.isAddress(path) ? path : path.absolute))
        continue
      }
      words.append(word)
      let paths = try music(at: path, most: Request.argumentLimit - prepared.count)
      found += paths.count
      prepared += paths.map { JSON(path: $0) }
    }
    guard found > 0 || words.isEmpty else {
      if missing.isEmpty, refused.count == 1 { throw refused[0] }
      var why = missing.isEmpty ? "" : "; not there: \(shownMissing)"
      if let first = refused.first { why += "; \(first.message)" }
      if refused.count > 1 { why += "; of other files the same is true (\(refused.count - 1))" }
      throw Fault(
        .missing, "X-150", "there is no music for this player in \(words.map(shownPlain).joined(separator: " "))\(why)")
    }
    return prepared
  }

  /// The music that paths lead to, for a queue: folders and playlists as above. What leads to none stays as it is, so
  /// that the player says why when it is to be played.
  mutating func queue(of paths: [FilePath]) -> [FilePath] {
    var all: [FilePath] = []
    for path in paths.map({ Self.isAddress($0) ? $0 : $0.absolute }) {
      let most = PlayQueue.limit - all.count
      do throws(Fault) {
        let found = try music(at: path, most: most)
        all += found.isEmpty && most > 0 ? [path] : found
      } catch {
        all.append(path)
      }
    }
    return all
  }

  /// `elsewhere` is why the player left out addresses of the web.
  func tellMissing(_ elsewhere: [Fault] = []) {
    let refused = refused + elsewhere
    for fault in refused.prefix(Self.mostShown) { complain(fault) }
    if refused.count > Self.mostShown {
      complain(Fault(.malformed, "X-156", "\(refused.count - Self.mostShown) more are no music for this player"))
    }
    guard !missing.isEmpty else { return }
    let entries = missing.count == 1 ? "1 entry is" : "\(missing.count) entries are"
    complain(Fault(.missing, "X-154", "\(entries) not there: \(shownMissing)"))
  }

  private static let mostShown = 10

  private var shownMissing: String {
    // The tracks of a cue sheet name one file again and again.
    var seen: Set<String> = []
    let names = missing.filter { seen.insert($0).inserted }
    let more = names.count > Self.mostShown ? " and \(names.count - Self.mostShown) more" : ""
    return names.prefix(Self.mostShown).map(shownPlain).joined(separator: ", ") + more
  }

  /// What the player finds by itself: of a source, of the web, a part of a file.
  private static func isAddress(_ path: FilePath) -> Bool {
    MusicPart(address: path) != nil || ItemKey(address: path) != nil || WebAddress(path) != nil
  }

  private mutating func music(at path: FilePath, most: Int) throws(Fault) -> [FilePath] {
    if Self.isAddress(path) { return most > 0 ? [path] : [] }
    let path = path.absolute
    if Self.isFolder(path) { return try MusicFiles.at(path, most: most, withForeign: ForeignHelp.isInstalled) }
    if case .playlist(let kind) = FileNames.class(of: path.name.bytes) {
      return try entries(of: path, kind, most: most)
    }
    let files = try MusicFiles.at(path, most: most)
    return files.filter { plays($0) }
  }

  /// Whether the player has a decoder for the file. One that has a name of our own formats is taken at its word; of any
  /// other the beginning is looked at, so that nobody waits for its turn to hear that it is a text or a picture.
  private mutating func plays(_ path: FilePath) -> Bool {
    if let known = looked[path] { return known }
    let hasDecoder = hasDecoder(path)
    looked[path] = hasDecoder
    return hasDecoder
  }

  private mutating func hasDecoder(_ path: FilePath) -> Bool {
    if FileNames.class(of: path.name.bytes) == .music {
      if ForeignHelp.isInstalled || !FileNames.isForeign(path.name.bytes) { return true }
    }
    do throws(Fault) {
      _ = try openDecoder(path)
      return true
    } catch {
      // What we may not read, or cannot just now, the player may.
      guard [.malformed, .unsupported].contains(error.kind) else { return true }
      refused.append(error)
      return false
    }
  }

  private static func isFolder(_ path: FilePath) -> Bool {
    var status = stat()
    return path.withCString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  // MARK: Playlists

  private static let longestPlaylist = 8 << 20

  private mutating func entries(of path: FilePath, _ kind: PlaylistFile.Kind, most: Int) throws(Fault) -> [FilePath] {
    let list = PlaylistFile.entries(of: try AtomicFile.read(path, limit: Self.longestPlaylist), kind: kind)
    var found: [FilePath] = []
    for entry in list.entries where found.count < most {
      guard let file = file(of: entry, beside: path.folder) else {
        missing.append(entry.pathText)
        continue
      }
      guard Self.isAddress(file) || plays(file) else { continue }
      guard let times = entry.cue, times.start > 0 || times.end != nil, !Self.isAddress(file) else {
        found.append(file)
        continue
      }
      let second = PlaylistFile.CueTimes.perSecond
      let end = times.end.map { Duration.milliseconds($0 * 1_000 / second) }
      // What has no sound of its own is no piece.
      let part = MusicPart(of: file, from: .milliseconds(times.start * 1_000 / second), to: end)
      if let part { found.append(part.address) }
    }
    return found
  }

  private mutating func file(of entry: PlaylistFile.Entry, beside folder: FilePath) -> FilePath? {
    guard let written = FilePath(bytes: entry.path) else { return nil }
    if Self.isAddress(written) { return written }
    // As it stands, before it is looked for: folders need not be ours to list.
    let plain = written.isAbsolute ? written : FilePath(bytes: folder.bytes + [UInt8(ascii: "/")] + written.bytes)
    if let plain, plain.bytes.count <= FilePath.limit, plain.withCString({ access($0, F_OK) }) == 0 { return plain }
    let beside = folder.bytes.split(separator: UInt8(ascii: "/")).compactMap { FilePath(bytes: $0) }
    var folders = self.folders
    let found = PlaylistPath.resolve(
      entry.path, text: entry.pathText, beside: beside, root: FilePath("/"), isConverted: entry.cue != nil,
      names: { Self.names(in: $0, &folders) })
    self.folders = folders
    return found
  }

  private static func names(
    in parts: [FilePath], _ known: inout [FilePath: PlaylistPath.Names?]
  ) -> PlaylistPath.Names? {
    let folder = FilePath(bytes: parts.flatMap { [UInt8(ascii: "/")] + $0.bytes }) ?? FilePath("/")
    if let names = known[folder] { return names }
    var names: PlaylistPath.Names?
    // A folder that cannot be listed has nothing in it for us.
    do throws(Fault) { names = PlaylistPath.Names(try Folder.names(in: folder)) } catch { names = nil }
    known[folder] = .some(names)
    return names
  }
}
