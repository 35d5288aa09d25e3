internal import CMicroHTTPD
import Glibc
import Runtime
import Synchronization

/// What libmicrohttpd's threads call, and what is known of each connection meanwhile.
final class Exchanges: Sendable {
  private let handler: any WebHandler
  private let limits: WebServer.Limits
  /// Since when each connection's request is being read; nil while it is answered. By socket.
  private let reading = Mutex<[Int32: Moment?]>([:])

  init(_ handler: some WebHandler, _ limits: WebServer.Limits) { (self.handler, self.limits) = (handler, limits) }

  var count: Int { reading.withLock { $0.count } }

  /// The daemon has a pointer that keeps nothing alive: `WebServer` holds this object for as long as the daemon runs.
  func start(on socket: Int32) -> OpaquePointer? {
    var options = layby_web_options()
    options.listener = socket
    options.threads = limits.threads
    options.connections = limits.connections
    options.connections_of_address = limits.connectionsOfAddress
    options.idle_seconds = limits.idleSeconds
    options.memory_of_connection = limits.headBytes
    options.context = Unmanaged.passUnretained(self).toOpaque()
    options.began = { _, address, _ in
      let text = address.map { String(cString: $0) } ?? ""
      return Unmanaged.passRetained(Exchange(address: text)).toOpaque()
    }
    options.answer = { context, connection, _, method, _, bytes, count, place in
      guard let context, let connection, let place, let count, let begun = place.pointee else {
        return layby_web_result(0)
      }
      let exchanges = Unmanaged<Exchanges>.fromOpaque(context).takeUnretainedValue()
      let exchange = Unmanaged<Exchange>.fromOpaque(begun).takeUnretainedValue()
      let chunk = UnsafeRawBufferPointer(start: bytes, count: count.pointee)
      count.pointee = 0
      let isFine = exchanges.goOn(exchange, connection, method.map { String(cString: $0) } ?? "", chunk)
      return layby_web_result(isFine ? 1 : 0)
    }
    options.completed = { context, connection, place, code in
      guard let context, let place, let begun = place.pointee else { return }
      place.pointee = nil
      let exchange = Unmanaged<Exchange>.fromOpaque(begun).takeRetainedValue()
      Unmanaged<Exchanges>.fromOpaque(context).takeUnretainedValue()
        .end(exchange, connection, isWhole: layby_web_is_whole(code) == 1)
    }
    options.connection = { context, connection, _, code in
      guard let context, let connection else { return }
      Unmanaged<Exchanges>.fromOpaque(context).takeUnretainedValue()
        .note(layby_web_socket(connection), isOpen: layby_web_is_new(code) == 1)
    }
    return layby_web_start(&options)
  }

  /// Called for the head, for each piece of the body, and when there is no more. False closes the connection.
  private func goOn(
    _ exchange: Exchange, _ connection: OpaquePointer, _ method: String, _ chunk: UnsafeRawBufferPointer
  ) -> Bool {
    guard var request = exchange.request else {
      let request = WebRequest(
        method, address: exchange.address, headers: Self.headers(of: connection), peer: Self.peer(of: connection))
      exchange.request = request
      let refusal = Self.isTooLong(request, limits.bodyBytes) ? Self.tooLong : handler.refusal(of: request)
      return refusal.map { send($0, exchange, connection) } ?? true
    }
    if !chunk.isEmpty {
      exchange.received += chunk.count
      if exchange.received <= limits.bodyBytes {
        request.body += chunk
        exchange.request = request
      }
      // A body that never ends is cut off; one that is a little too long still gets an answer.
      return exchange.received <= 16 * limits.bodyBytes
    }
    reading.withLock { $0[layby_web_socket(connection)] = .some(nil) }
    let answer = exchange.received > limits.bodyBytes ? Self.tooLong : handler.answer(request)
    return send(answer, exchange, connection)
  }

  private func send(_ answer: WebAnswer, _ exchange: Exchange, _ connection: OpaquePointer) -> Bool {
    exchange.answer = answer
    let made: OpaquePointer?
    switch answer.body {
    case .bytes(let bytes): made = bytes.withUnsafeBytes { layby_web_bytes($0.count, $0.baseAddress) }
    case .file(let descriptor, let from, let count):
      made = MHD_create_response_from_fd_at_offset64(UInt64(count), descriptor, UInt64(from))
      if made == nil { close(descriptor) }
    }
    guard let made else { return false }
    defer { MHD_destroy_response(made) }
    for header in answer.headers { MHD_add_response_header(made, header.name, header.value) }
    return layby_web_is_fine(MHD_queue_response(connection, UInt32(answer.status), made)) == 1
  }

  private func end(_ exchange: Exchange, _ connection: OpaquePointer?, isWhole: Bool) {
    if let connection {
      reading.withLock { reading in
        let socket = layby_web_socket(connection)
        if reading[socket] != nil { reading[socket] = .some(.now) }
      }
    }
    handler.didEnd(
      exchange.request, exchange.answer, nanoseconds: (Moment.now - exchange.began).nanoseconds, isWhole: isWhole)
  }

  private func note(_ socket: Int32, isOpen: Bool) {
    reading.withLock { $0[socket] = isOpen ? .some(.now) : nil }
  }

  /// A socket stands in the table for as long as its connection, so it is never another one's.
  func endSlowRequests(at now: Moment) {
    reading.withLock { reading in
      for (socket, since) in reading {
        if let since, now - since > .seconds(limits.requestSeconds) { shutdown(socket, Int32(SHUT_RDWR)) }
      }
    }
  }

  private static func isTooLong(_ request: WebRequest, _ most: Int) -> Bool {
    guard let length = request.header("Content-Length") else { return false }
    return (Int(length) ?? .max) > most
  }

  private static let tooLong = WebAnswer(
    413, [("Content-Type", "application/problem+json")],
    Array("{\"title\":\"Too much\",\"status\":413,\"detail\":\"the body is longer than is taken\"}\n".utf8))

  private static func headers(of connection: OpaquePointer) -> [(name: String, value: String)] {
    let found = Found()
    layby_web_headers(
      connection,
      { context, _, name, value in
        guard let context, let name else { return layby_web_result(1) }
        Unmanaged<Found>.fromOpaque(context).takeUnretainedValue().headers.append(
          (String(cString: name), value.map { String(cString: $0) } ?? ""))
        return layby_web_result(1)
      }, Unmanaged.passUnretained(found).toOpaque())
    return found.headers
  }

  private final class Found { var headers: [(name: String, value: String)] = [] }

  private static func peer(of connection: OpaquePointer) -> String {
    guard let peer = layby_web_peer(connection) else { return "" }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let room = socklen_t(text.count)
    let address = UnsafeRawPointer(peer)
    let written: UnsafePointer<CChar>?
    if Int32(peer.pointee.sa_family) == AF_INET {
      var four = address.loadUnaligned(as: sockaddr_in.self).sin_addr
      written = inet_ntop(AF_INET, &four, &text, room)
    } else {
      var six = address.loadUnaligned(as: sockaddr_in6.self).sin6_addr
      written = inet_ntop(AF_INET6, &six, &text, room)
    }
    guard written != nil else { return "" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// One request and its answer; used by the one thread that has its connection.
private final class Exchange {
  let address: String
  let began = Moment.now
  var request: WebRequest?
  var received = 0
  var answer: WebAnswer?

  init(address: String) { self.address = address }
}
