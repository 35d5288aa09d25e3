import Glibc
import Runtime

/// The part of setting up a board that runs as root: it reads the file that the player has written, checks it as strictly
/// as the player did, and writes the system's own files. It runs once for each request. It trusts nothing, because the
/// player owns the folder and an attacker may control the player. So it follows no link, reads only a regular file of the
/// player's, and takes nothing from it but the network's name, password and country, and the board's name.
package struct SetupTaker: Sendable {
  /// Below the state folder, the player's.
  package static let folderName = "wishes"
  /// Where the system keeps what it was told: its own, and on the partition that lasts.
  package static let networkFile = "wifi.conf"
  package static let hostNameFile = "hostname"
  /// An empty file beside the wish: the network is to be left for good. No stick can ask for that.
  package static let forgetName = "forget-network"
  /// What was taken from the card last.
  package static let cardFile = "card.conf"

  private let state: FilePath
  private let network: FilePath
  private let told: FilePath

  package init(state: FilePath, network: FilePath, told: FilePath) {
    self.state = state
    self.network = network
    self.told = told
  }

  package static func wish(in state: FilePath) -> FilePath { state / folderName / StickSetup.fileName }

  /// What has become of it is told before the wish goes: who sees it gone finds the word. A wish that cannot be taken
  /// goes too, so that it is not tried for ever.
  package func run() throws(Fault) {
    let stateFolder = try Descriptor.open(state, Self.onTheWay, code: "H-731")
    let folder = try Descriptor.open(Self.through(stateFolder) / Self.folderName, Self.onTheWay, code: "H-731")
    if Self.isAsked(Self.through(folder) / Self.forgetName) {
      try forget(Self.through(folder) / Self.forgetName)
      guard Self.isAsked(Self.through(folder) / StickSetup.fileName) else { return }
    }
    let wish = Self.through(folder) / StickSetup.fileName
    let result: Result<StickSetup, Fault>
    do throws(Fault) {
      let setup = try StickSetup(parsing: try read(wish, by: try Self.owner(of: stateFolder)))
      try apply(setup)
      result = .success(setup)
    } catch {
      result = .failure(error)
    }
    switch result {
    case .success(let setup): try tell(of: setup)
    case .failure(let fault): try tell(fault.kind == .malformed ? .refused : .failed)
    }
    guard wish.withCString({ unlink($0) }) == 0 || errno == ENOENT else {
      throw Fault.system("H-733", doing: "remove the wish in \(state / Self.folderName)")
    }
    _ = try result.get()
  }

  /// What the card's own files name: see `CardFile`. Only root writes what is read here.
  package func take(card: FilePath) throws(Fault) {
    var taken: StickSetup?
    try CardFile.take(card, limit: StickSetup.limit, last: network / Self.cardFile) { bytes throws(Fault) in
      let setup = try StickSetup(parsing: bytes)
      try apply(setup)
      taken = setup
    }
    if let taken { try tell(of: taken) }
  }

  /// Whatever lies there under that name asks for it; nothing of it is read.
  private static func isAsked(_ wish: FilePath) -> Bool {
    var facts = stat()
    return wish.withCString { lstat($0, &facts) } == 0
  }

  private func forget(_ wish: FilePath) throws(Fault) {
    for file in [network / Self.networkFile, wish] {
      guard file.withCString({ unlink($0) }) == 0 || errno == ENOENT else {
        throw Fault.system("H-733", doing: "forget the network")
      }
    }
    try tell(.leaving)
  }

  private func apply(_ setup: StickSetup) throws(Fault) {
    try Folder.make(network, mode: 0o700)
    if let wanted = setup.network {
      try AtomicFile.replace(network / Self.networkFile, with: try SupplicantFile.bytes(joining: wanted))
    }
    if let name = setup.hostName {
      try AtomicFile.replace(network / Self.hostNameFile, with: Array("\(name)\n".utf8))
    }
  }

  private func tell(of setup: StickSetup) throws(Fault) { try tell(setup.network == nil ? .done : .joining) }

  private func tell(_ outcome: SetupOutcome) throws(Fault) {
    try AtomicFile.replace(told / SetupOutcome.fileName, with: outcome.bytes, mode: 0o644)
  }

  /// Looked at when it is open, so that nothing else can be put in its place. A second name of somebody else's file
  /// would lead to what the player must not read.
  private func read(_ wish: FilePath, by owner: uid_t) throws(Fault) -> [UInt8] {
    let folder = state / Self.folderName
    let file = try Self.opened(wish, in: folder)
    var facts = stat()
    guard fstat(file.number, &facts) == 0 else { throw Fault.system("H-732", doing: "look at the wish in \(folder)") }
    guard facts.st_mode & S_IFMT == S_IFREG, facts.st_nlink == 1, facts.st_uid == owner else {
      throw Fault(.malformed, "H-732", "the wish in \(folder) is not the player's own plain file")
    }
    return try file.readAll(limit: StickSetup.limit, code: "H-732", doing: "read the wish in \(folder)")
  }

  /// The kernel's words name a path that nobody knows.
  private static func opened(_ wish: FilePath, in folder: FilePath) throws(Fault) -> Descriptor {
    do throws(Fault) {
      return try Descriptor.open(wish, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, code: "H-732")
    } catch {
      throw Fault(error.kind, error.code, "there is no wish in \(folder), or it is no plain file")
    }
  }

  private static let onTheWay = O_RDONLY | O_DIRECTORY | O_NOFOLLOW

  /// The folder that is open, whatever has its name by now.
  private static func through(_ folder: borrowing Descriptor) -> FilePath { FilePath("/proc/self/fd/\(folder.number)") }

  private static func owner(of folder: borrowing Descriptor) throws(Fault) -> uid_t {
    var facts = stat()
    guard fstat(folder.number, &facts) == 0 else { throw Fault.system("H-731", doing: "look at the state folder") }
    return facts.st_uid
  }
}
