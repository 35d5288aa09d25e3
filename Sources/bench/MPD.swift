import Glibc
import Runtime

/// The Music Player Daemon, our peer, in a home of its own: its null output, its state kept, no discovery.
struct MPD {
  let program: String
  private let home: FilePath
  private let environment: [String]
  private var config: FilePath { home / "mpd.conf" }
  private var socket: FilePath { home / "socket" }

  /// Nil when it is not installed. `paced`: as a sound card takes it, or as fast as it can. With a `library` it keeps
  /// a database, as people have it; without one it would open every file of a queue that it takes up again.
  /// With a `device` it plays there, and keeps it open.
  init?(home: FilePath, paced: Bool = true, device: SoundDevice? = nil, library: FilePath? = nil) throws(Fault) {
    guard let program = Child.find("mpd") else { return nil }
    self.program = program
    self.home = home
    environment = device?.environment ?? []
    let output =
      device == nil
      ? "type \"null\"\nsync \"\(paced ? "yes" : "no")\""
      : "type \"alsa\"\ndevice \"\(SoundDevice.name)\"\nalways_on \"yes\""
    let database = library.map { "music_directory \"\($0)\"\ndb_file \"\(home / "database")\"\n" } ?? ""
    let text = """
      \(database)
      bind_to_address "\(home / "socket")"
      state_file "\(home / "state")"
      log_file "\(home / "log")"
      pid_file "\(home / "pid")"
      zeroconf_enabled "no"
      connection_timeout "600"
      mixer_type "none"
      audio_output {
        name "bench"
        \(output)
      }

      """
    try AtomicFile.replace(home / "mpd.conf", with: Array(text.utf8))
  }

  /// A running daemon whose socket has answered, and how long that took.
  func start() throws(Fault) -> (daemon: Daemon, took: Duration) {
    _ = socket.withCString { unlink($0) }
    let child = try Child(
      [program, "--no-daemon", "\(config)"], environment: environment, output: home / "output")
    let deadline = child.began + .seconds(60)
    while Moment.now < deadline {
      if let number = UnixSocket.connection(to: socket) {
        let daemon = Daemon(child, LineSocket(taking: number, to: "mpd"))
        try daemon.greeting()
        return (daemon, .now - child.began)
      }
      if child.hasEnded { break }
      usleep(500)
    }
    throw Fault(.passing, "B-160", "mpd did not answer within 60 s; see \(home / "output")")
  }
}

extension MPD {
  /// One running daemon and the connection to it. The protocol: a line each way, answers end with `OK` or `ACK`.
  final class Daemon {
    let child: Child
    private let socket: LineSocket

    init(_ child: Child, _ socket: LineSocket) {
      self.child = child
      self.socket = socket
    }

    func greeting() throws(Fault) {
      let line = try socket.line(within: .seconds(30))
      guard line.hasPrefix("OK MPD") else { throw Fault(.malformed, "B-161", "mpd greets with \(line)") }
    }

    @discardableResult
    func ask(_ command: String, within limit: Duration = .seconds(60)) throws(Fault) -> [String] {
      try socket.send(command)
      var lines: [String] = []
      while true {
        let line = try socket.line(within: limit)
        if line == "OK" { return lines }
        if line.hasPrefix("ACK") { throw Fault(.malformed, "B-163", "mpd: \(line) (to \(command.prefix(80)))") }
        lines.append(line)
      }
    }

    /// Reads the library's tags into its database.
    func readLibrary(within limit: Duration) throws(Fault) {
      let deadline = Moment.now + limit
      try ask("update")
      while try ask("status").contains(where: { $0.hasPrefix("updating_db:") }) {
        guard Moment.now < deadline else { throw Fault(.passing, "B-168", "mpd still reads after \(limit)") }
        try ask("idle update", within: limit)
      }
    }

    /// Paths from the root, or names in the library.
    func queue(_ files: [FilePath]) throws(Fault) {
      try ask("clear")
      for start in stride(from: 0, to: files.count, by: 500) {
        let adds = files[start..<min(start + 500, files.count)].map { "add \"\($0)\"\n" }.joined()
        try ask("command_list_begin\n\(adds)command_list_end")
      }
    }

    /// Until the queue has come to its end.
    func waitForTheEnd(within limit: Duration) throws(Fault) {
      let deadline = Moment.now + limit
      while try !ask("status").contains("state: stop") {
        guard Moment.now < deadline else { throw Fault(.passing, "B-164", "mpd still played after \(limit)") }
        // What happened since the last asking is answered at once.
        try ask("idle player", within: limit)
      }
      if let fault = try ask("status").first(where: { $0.hasPrefix("error:") }) {
        throw Fault(.malformed, "B-165", "mpd: \(fault)")
      }
    }
  }
}
