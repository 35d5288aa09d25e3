import Glibc
import Runtime
import Services

/// `depot --demo`: a depot with the composed album, an account and two lists, which answers.
///
/// What is there already is kept; only the password is another one each time.
struct DemoCommand {
  private var folder: FilePath
  private var settings = ServeSettings()

  init(_ words: [String]) throws(Fault) {
    let home = getenv("HOME").map { String(cString: $0) } ?? "/tmp"
    let state = getenv("XDG_STATE_HOME").map { String(cString: $0) } ?? "\(home)/.local/state"
    folder = FilePath("\(state)/layby-depot-demo")
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--state":
        guard let path = rest.popFirst(), !path.isEmpty else {
          throw Fault(.malformed, "D-200", "--state needs a folder")
        }
        folder = FilePath(path)
      case "--port", "--name", "--listen", "--url", "--days", "--rate":
        let value = rest.popFirst() ?? ""
        let said = try ServeSettings([word, value])
        switch word {
        case "--port": settings.port = said.port
        case "--name": settings.name = said.name
        case "--listen": settings.listen = said.listen
        case "--url": settings.url = said.url
        case "--days": settings.days = said.days
        default: settings.rate = said.rate
        }
      default: throw Fault(.malformed, "D-201", "\(shownBriefly(word)) is nothing that the demo can be told")
      }
    }
  }

  func run() throws(Fault) {
    let (depotFolder, music) = (folder / "depot", folder / "music")
    try Folder.make(folder)
    if music.withCString({ access($0, F_OK) }) != 0 { try compose(music) }
    let isNew = (depotFolder / "secret" / DepotKeys.fileName).withCString { access($0, F_OK) } != 0
    var depot = isNew ? try Depot.make(at: depotFolder) : try Depot(at: depotFolder)
    let sealed = try depot.take(music, told: { _, _ in })
    if sealed.sealed > 0 { Report.print("\(sealed.sealed) files sealed\n") }
    let command = try AccountCommand(depotFolder)
    let password = AccountCommand.madePassword()
    try command.demo(password)
    let root = try depot.root
    try ServeCommand.run(depotFolder, settings) { address in
      """
      the account is demo, with the password \(password)
      on a device, layby.conf has:

          [source demo]
          kind = depot
          url = \(address)
          trust = \(root)


      """
    }
  }

  /// The composer and the encoder are programs of their own. What has its name at the end is whole.
  private func compose(_ music: FilePath) throws(Fault) {
    let growing = folder / ".music"
    try Folder.make(growing)
    try Self.finish([Self.beside("compose"), "\(growing)"], "D-202")
    var index = DirectoryIndex(name: "Layby demo")
    let names = ["Setting out", "On the way", "Coming home"]
    for (place, name) in names.enumerated() {
      let file = "\(place + 1) \(name).flac"
      try Self.finish(
        [
          "flac", "--silent", "--force", "--delete-input-file", "-o", "\(growing / file)", "-T",
          "TITLE=Prelude in C, part \(place + 1): \(name)", "-T", "ARTIST=J. S. Bach", "-T", "ALBUM=Layby demo", "-T",
          "TRACKNUMBER=\(place + 1)", "\(growing / "\(place + 1).wav")",
        ], "D-203")
      let bytes = try AtomicFile.read(growing / file, limit: 256 << 20)
      var item = DirectoryIndex.Item(
        .init(path: try Self.path(file), size: Int64(bytes.count), hash: try Self.digits(Sums.of(bytes))))
      (item.title, item.artist, item.album) = ("Prelude in C, part \(place + 1): \(name)", "J. S. Bach", "Layby demo")
      (item.track, item.art) = (place + 1, try Self.path("cover.png"))
      index.items.append(item)
    }
    _ = (growing / "whole.wav").withCString { unlink($0) }
    try AtomicFile.replace(growing / DirectoryIndex.fileName, with: index.fileBytes)
    guard growing.withCString({ from in music.withCString { rename(from, $0) } }) == 0 else {
      throw Fault.system("D-204", doing: "make \(music)")
    }
  }

  private static func digits(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func path(_ name: String) throws(Fault) -> FolderPath {
    do throws(FolderPath.Mistake) { return try FolderPath(name) } catch {
      throw Fault(.malformed, "D-205", "\(name): \(error.rawValue)")
    }
  }

  /// A program of ours lies beside this one.
  private static func beside(_ name: String) -> String {
    var bytes = [CChar](repeating: 0, count: FilePath.limit + 1)
    let room = bytes.count
    let count = readlink("/proc/self/exe", &bytes, room - 1)
    let own = FilePath(bytes: bytes.prefix(max(0, count)).map { UInt8(bitPattern: $0) })
    return own.map { "\($0.folder / name)" } ?? name
  }

  private static func finish(_ words: [String], _ code: String) throws(Fault) {
    guard try ChildProcess(words, in: SpawnOptions()).reap().code == 0 else {
      throw Fault(.unsupported, code, "\(words[0]) failed; is it installed?")
    }
  }
}

extension AccountCommand {
  /// The account and its lists, however often the demo is started.
  func demo(_ password: String) throws(Fault) {
    let accounts = try account(["list"])
    if accounts.split(separator: "\n").contains(where: { $0.hasPrefix("demo\t") }) {
      try setPassword(of: "demo", password)
    } else {
      _ = try add("demo", password)
      _ = try subscription(["demo", "active"])
      _ = try list(["demo", "This week", "--every", "week", "--tracks", "2"])
      _ = try list(["demo", "Today", "--every", "day", "--tracks", "1"])
    }
  }
}
