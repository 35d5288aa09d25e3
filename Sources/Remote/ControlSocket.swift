import Glibc
import Runtime

/// The Unix socket through which programs and the command line control the player. Open to its own user and group
/// only; the folder and the file's mode are the lock.
///
/// Each connection is a small task on the deck. A client that sends rubbish gets an answer and keeps its connection;
/// one that reads too slowly loses events, never time of ours.
@Deck
package final class ControlSocket: Part {
  nonisolated package let name = "control"
  package static let connectionLimit = 32
  private static let pathLimit = 107

  private let path: FilePath
  private let service: any ControlService
  private var listener: Int32 = -1
  private var connections = 0
  private let log = Log("control")

  nonisolated package init(at path: FilePath, for service: any ControlService) {
    self.path = path
    self.service = service
  }

  package func prepare() async throws(Fault) {
    guard path.bytes.count <= Self.pathLimit else {
      throw Fault(.malformed, "X-110", "the socket \(path) has a name longer than \(Self.pathLimit) bytes")
    }
    close()
    try Folder.make(path.folder, mode: 0o750)
    // The lock of the state folder has shown that nobody else runs; what lies here is left from a crash.
    _ = path.withCString { unlink($0) }
    let socket = Descriptor.streamSocket()
    var address = sockaddr_un(path: path)
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0, path.withCString({ chmod($0, 0o660) }) == 0, listen(socket.number, 16) == 0 else {
      throw Fault.system("X-111", doing: "open the control socket \(path)")
    }
    listener = socket.release()
  }

  package func run() async throws(Fault) {
    defer { close() }
    while await Deck.loop.readable(listener) {
      while case let number = accept(listener, nil, nil), number >= 0 {
        let client = Descriptor(taking: number)
        guard connections < Self.connectionLimit else {
          log.warning("too many connections, refused one", ["limit": Self.connectionLimit])
          continue
        }
        let taken = client.release()
        connections += 1
        Deck.start {
          await Connection(taking: taken, service: self.service).serve()
          self.connections -= 1
        }
      }
    }
  }

  private func close() {
    guard listener >= 0 else { return }
    Deck.loop.forget(listener)
    Glibc.close(listener)
    listener = -1
    _ = path.withCString { unlink($0) }
  }
}

/// What the socket can do for its clients; given by the wiring.
@Deck
package protocol ControlService: AnyObject, Sendable {
  func answer(_ request: Request) async -> JSON
  /// Every event from now on goes into the mailbox, until it is closed.
  func follow(_ events: Mailbox<JSON>)
}

extension sockaddr_un {
  /// `path` must fit; longer ones are cut.
  init(path: FilePath) {
    self.init()
    sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &sun_path) { $0.copyBytes(from: path.bytes.prefix($0.count - 1)) }
  }
}
