import Ciphers
import DecoderProtocol
import Glibc
import Rights
import Runtime

/// The words that the program was started with, and its way from there to serving.
struct KeysCommand {
  private let words: [String]

  init(_ words: [String]) { self.words = words }

  static let help = """
    layby-keys keeps the keys of sealed music, and answers the player over a Unix socket.

      layby-keys --folder DIR [--socket FILE] [--user NAME] [--board FILE]
      layby-keys destroy --folder DIR [--board FILE]
      layby-keys --try WHAT

      --folder DIR   where secret, licences and clock are; nobody else has rights there
      --socket FILE  where it listens, unless systemd hands it a socket
      --user NAME    whose processes may ask; without it those of its own user
      --board FILE   board.conf, of which it reads the section [rights]
      destroy        makes the keys useless: the secret, the licences, and the counter in the TPM go
      --try WHAT     proves that it is shut in: it must die of WHAT (open, socket, exec, fork, kill, execmem)

    """

  func run() -> Int32 {
    do throws(Fault) {
      if words.contains("--help") { return say(Self.help, to: STDOUT_FILENO) }
      if words.first == "--try" { return try attempt(words.last ?? "") }
      if words.first == "destroy" {
        try destroy(KeysOptions(words.dropFirst()))
        return EX_OK
      }
      return try serve(KeysOptions(words))
    } catch {
      say("layby-keys: \(error)\n", to: STDERR_FILENO)
      return error.kind == .malformed ? EX_USAGE : error.code.hasPrefix("C-") ? EX_CONFIG : EX_UNAVAILABLE
    }
  }

  @discardableResult
  private func say(_ text: String, to descriptor: Int32) -> Int32 {
    let bytes = Array(text.utf8)
    return write(descriptor, bytes, bytes.count) == bytes.count ? EX_OK : EX_IOERR
  }

  private func serve(_ options: KeysOptions) throws(Fault) -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    ClosedMemory.close()
    let settings = try options.settings
    let listener = try KeysListener.open(options.socket)
    try Folder.make(options.folder)
    let folder = try Descriptor.open(options.folder, O_RDONLY | O_DIRECTORY, code: "E-193")
    let isReached = settings.tpmAddress.map { !$0.hasPrefix("device:") } ?? false
    let service = try KeysService(in: options.folder, settings)
    warnOfOpenFiles()
    let refused = Sandbox.enterAsKeeper(of: folder.number, mayConnect: isReached)
    guard refused == 0 else { throw Fault.system("E-194", doing: "shut layby-keys in", errno: refused) }
    var server = KeysServer(listener, for: options.user, service)
    try server.run()
    return EX_OK
  }

  /// As it serves, but with an empty folder. What was refused, and no reason to die, ends with 77.
  private func attempt(_ what: String) throws(Fault) -> Int32 {
    warnOfOpenFiles()
    let folder = try Descriptor.open(FilePath("/proc/self/fd"), O_RDONLY | O_DIRECTORY, code: "E-193")
    guard Sandbox.enterAsKeeper(of: folder.number, mayConnect: false) == 0 else { return EX_UNAVAILABLE }
    return Sandbox.attempt(what) ? 1 : EX_NOPERM
  }

  private func warnOfOpenFiles() {
    if Sandbox.canCloseFiles { return }
    Log("keys").warning("this kernel has no Landlock; other files are closed to layby-keys by its user's rights alone")
  }

  private func destroy(_ options: KeysOptions) throws(Fault) {
    let settings = try options.settings
    try DeviceRights.destroy(
      in: options.folder, tpm: settings.tpmAddress.map { address throws(Fault) in try TPM(address) })
  }
}

/// What the options say.
struct KeysOptions {
  let folder: FilePath
  let socket: FilePath?
  let user: UInt32
  private let board: FilePath?

  init(_ words: some Collection<String>) throws(Fault) {
    var values: [String: String] = [:]
    var rest = Array(words)[...]
    while let name = rest.popFirst() {
      guard ["--folder", "--socket", "--user", "--board"].contains(name), let value = rest.popFirst() else {
        throw Self.wrong("\(shownBriefly(name)) makes no sense here")
      }
      values[name] = value
    }
    guard let folder = values["--folder"].flatMap({ FilePath(bytes: $0.utf8) }) else {
      throw Self.wrong("--folder DIR must say where the keys are")
    }
    self.folder = folder.absolute
    socket = values["--socket"].map { FilePath($0).absolute }
    board = values["--board"].map { FilePath($0) }
    guard let user = values["--user"] else {
      self.user = getuid()
      return
    }
    guard let number = UInt32(user) ?? Self.number(of: user) else {
      throw Self.wrong("there is no user \(shownBriefly(user))")
    }
    self.user = number
  }

  /// Its own part of board.conf; the defaults without one.
  var settings: Settings {
    get throws(Fault) {
      guard let board else { return Settings() }
      return try RightsSettings.table.own(ofBoard: board)
    }
  }

  private static func number(of user: String) -> UInt32? { getpwnam(user).map { $0.pointee.pw_uid } }

  private static func wrong(_ mistake: String) -> Fault {
    Fault(.malformed, "E-195", "\(mistake); layby-keys --help says what there is")
  }
}

/// The socket that the player's processes come to.
enum KeysListener {
  private static let pathLimit = 107

  /// The one that systemd hands over, or one that is made: then its folder is for others to go through, and the socket's
  /// own mode lets everybody connect. Who is not the player's user is refused once it has.
  static func open(_ path: FilePath?) throws(Fault) -> Descriptor {
    // systemd's two words (sd_listen_fds): for whom, and how many, from 3 on.
    if let process = getenv("LISTEN_PID"), let count = getenv("LISTEN_FDS"),
      Int32(String(cString: process)) == getpid(), String(cString: count) == "1"
    {
      let given = Descriptor(taking: 3)
      _ = fcntl(given.number, F_SETFL, fcntl(given.number, F_GETFL, 0) | O_NONBLOCK)
      _ = fcntl(given.number, F_SETFD, FD_CLOEXEC)
      return given
    }
    guard let path, path.bytes.count <= pathLimit else {
      throw Fault(.malformed, "E-196", "--socket FILE must say where to listen, in at most \(pathLimit) bytes")
    }
    try Folder.make(path.folder, mode: 0o755)
    var status = stat()
    if path.withCString({ lstat($0, &status) }) == 0 {
      guard status.st_mode & S_IFMT == S_IFSOCK else {
        throw Fault(.busy, "E-196", "\(path) is there and is no socket; remove it, or name another")
      }
      _ = path.withCString { unlink($0) }
    }
    let listener = Descriptor.streamSocket()
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.bytes.prefix($0.count - 1)) }
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0, path.withCString({ chmod($0, 0o666) }) == 0, listen(listener.number, 64) == 0 else {
      throw Fault.system("E-196", doing: "listen at \(path)")
    }
    return listener
  }
}
