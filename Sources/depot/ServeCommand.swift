import Glibc
import Runtime
import WebServer

/// `depot serve`: answers until it is told to stop. `greeting` is what it says of the address at which devices find it.
enum ServeCommand {
  static func run(
    _ folder: FilePath, _ settings: ServeSettings, greeting: (String) -> String = { _ in "" }
  ) throws(Fault) {
    // What is on the way is in memory: no core file has it, and no other program of this user may look.
    ClosedMemory.close()
    signal(SIGPIPE, SIG_IGN)
    // A file that may not grow further is an error like a full disk.
    signal(SIGXFSZ, SIG_IGN)
    // Before there are threads: each of them leaves these to this one.
    var ends = sigset_t()
    sigemptyset(&ends)
    for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&ends, number) }
    pthread_sigmask(SIG_BLOCK, &ends, nil)
    umask(0o077)
    let service = try DepotService(folder, settings)
    var limits = WebServer.Limits()
    // Behind a proxy all connections come from one address.
    if settings.isBehindProxy { limits.connectionsOfAddress = limits.connections }
    let server = try WebServer(listen: settings.listen, port: settings.port, limits: limits, service)
    service.listens(at: server.address)
    let address = "http://\(server.address)"
    Report.print("listens at \(address)\n\(greeting(settings.url ?? address))")
    var second = timespec(tv_sec: 1, tv_nsec: 0)
    while true {
      if sigtimedwait(&ends, nil, &second) > 0 { break }
      server.endSlowRequests()
      service.note(connections: server.openConnections)
      service.refresh()
    }
    Report.print("stops\n")
  }
}

/// To standard output at once, also where that is a file or a pipe.
enum Report {
  static func print(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
  }
}
