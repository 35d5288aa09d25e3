import Glibc
import Runtime

/// A web server of Debian's on the loopback, as anybody has one, in a home of its own. It ends with its owner.
final class Nginx {
  let port: Int
  private let child: Child
  private static let patience: Duration = .seconds(10)

  static var program: String? {
    // Where only those who administer a machine look.
    Child.find("nginx") ?? (access("/usr/sbin/nginx", X_OK) == 0 ? "/usr/sbin/nginx" : nil)
  }

  /// `root`: what it serves. `keeps`: its connections stay open for another question.
  init(_ program: String, serving root: FilePath, home: FilePath, keeps: Bool = true) throws(Fault) {
    port = try Loopback.freePort()
    let config = home / "nginx.conf"
    try AtomicFile.replace(config, with: Array(Self.config(port, root, home, keeps).utf8))
    child = try Child(
      [program, "-e", "\(home / "errors")", "-p", "\(home)", "-c", "\(config)"], output: home / "output")
    let deadline = Moment.now + Self.patience
    while Moment.now < deadline, !child.hasEnded {
      if let socket = Loopback.connection(to: port) {
        close(socket)
        return
      }
      try Patience.wait(until: .now + .milliseconds(5))
    }
    throw Fault(.passing, "B-261", "nginx does not answer; see \(home / "errors") and \(home / "output")")
  }

  /// One process, which is nobody else than who started the bench: it reads what only that one may.
  private static func config(_ port: Int, _ root: FilePath, _ home: FilePath, _ keeps: Bool) -> String {
    var temporary = ""
    for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"] {
      temporary += "  \(kind)_temp_path \(home)/\(kind);\n"
    }
    return """
      daemon off;
      master_process off;
      pid \(home)/pid;
      events { worker_connections 64; }
      http {
      \(temporary)
        default_type application/octet-stream;
        access_log off;
        sendfile on;
        tcp_nopush on;
        keepalive_timeout \(keeps ? 75 : 0);
        server { listen 127.0.0.1:\(port); root \(root); }
      }

      """
  }
}
