import FaultServer
import HTTP
import Runtime
import Synchronization
import Testing

@Suite("Transfers fetch what is there")
struct TransfersTests {
  private let file = Resource.noise(300_000)

  private func server() throws -> FaultServer { try FaultServer(serving: ["/a.flac": file]) }

  @Test("a file comes whole, with its head, and says how it came")
  func whole() async throws {
    let (server, line) = (try server(), try Line())
    let outcome = try await line.fetch(server.url("/a.flac"))
    #expect(outcome.isAll(of: file.bytes))
    #expect(outcome.head?.status == 200)
    #expect(outcome.head?["etag"] == "\"first\"")
    #expect(outcome.head?.url == server.url("/a.flac"))
    let ending = try #require(outcome.ending)
    #expect(ending.bytes == 300_000 && !ending.wasConnected && ending.version == .http1)
    #expect(try #require(ending.bytesASecond) > 0)
  }

  @Test("the bytes are asked for as they are")
  func identity() async throws {
    let (server, line) = (try server(), try Line())
    _ = try await line.fetch(server.url("/a.flac"))
    let request = try #require(server.requests.first)
    #expect(request["accept-encoding"] == "identity")
    #expect(request["range"] == nil && request["user-agent"] == "layby")
  }

  @Test("from a byte on, with the validator of what is there", arguments: [1, 4_096, 299_999])
  func part(from: Int) async throws {
    let (server, line) = (try server(), try Line())
    var request = TransferRequest(server.url("/a.flac"))
    (request.from, request.ifRange) = (Int64(from), "\"first\"")
    let outcome = try await line.fetch(request)
    #expect(outcome.head?.status == 206)
    #expect(outcome.head?["content-range"] == "bytes \(from)-299999/300000")
    #expect(outcome.isAll(of: file.bytes[from...]))
  }

  @Test("a file that has changed since comes whole")
  func changed() async throws {
    let (server, line) = (try server(), try Line())
    var request = TransferRequest(server.url("/a.flac"))
    (request.from, request.ifRange) = (1_000, "\"older\"")
    let outcome = try await line.fetch(request)
    #expect(outcome.head?.status == 200)
    #expect(outcome.isAll(of: file.bytes))
  }

  @Test(
    "an answer that is no music is an answer all the same", arguments: [401, 403, 404, 410, 416, 429, 500, 502, 503])
  func statuses(status: Int) async throws {
    let (server, line) = (try server(), try Line())
    server.script("/a.flac", [.status(status, [("Retry-After", "7"), ("Content-Range", "bytes */300000")])])
    let outcome = try await line.fetch(server.url("/a.flac"))
    #expect(outcome.head?.status == status)
    #expect(outcome.head?["retry-after"] == "7")
    #expect(outcome.ending != nil)
  }

  @Test("a connection is used again")
  func reuse() async throws {
    let (server, line) = (try server(), try Line())
    _ = try await line.fetch(server.url("/a.flac"))
    let second = try await line.fetch(server.url("/a.flac"))
    #expect(try #require(second.ending).wasConnected)
    #expect(server.requests.map(\.connection) == [1, 1])
  }

  @Test("several at once come whole, each on a connection of its own")
  func several() async throws {
    let files = (0..<5).map { Resource.noise(200_000, seed: UInt64($0 + 1)) }
    let paths = (0..<5).map { "/\($0).flac" }
    let server = try FaultServer(serving: Dictionary(uniqueKeysWithValues: zip(paths, files)))
    let line = try Line()
    let areAllThere = Mutex(false)
    var takers: [(taker: Taker, transfer: Transfer)] = []
    for path in paths {
      var request = TransferRequest(server.url(path))
      request.window = 10_000
      let taker = Taker(on: line.loop) { owed in areAllThere.withLock { $0 } ? owed : 0 }
      takers.append((taker, await line.transfers.start(request, for: taker)))
    }
    for (taker, _) in takers { await taker.until { $0.owed >= 10_000 } }
    areAllThere.withLock { $0 = true }
    for (taker, transfer) in takers { taker.holds(transfer) }
    for ((taker, _), file) in zip(takers, files) { #expect(try await taker.outcome().isAll(of: file.bytes)) }
    #expect(server.seen.allConnections == 5)
  }

  @Test("a small answer is gathered, and one that is longer than it may be is refused")
  func small() async throws {
    let (server, line) = (try server(), try Line())
    let answer = try await line.transfers.get(TransferRequest(server.url("/a.flac")), limit: 300_000)
    #expect(answer.head.status == 200 && answer.bytes == file.bytes)
    do throws(TransferFailure) {
      _ = try await line.transfers.get(TransferRequest(server.url("/a.flac")), limit: 299_999)
      Issue.record("it was not refused")
    } catch { #expect(error.trouble == .tooLarge) }
  }

  @Test("a small answer whose task is cancelled ends at once")
  func smallCancelled() async throws {
    let (server, line) = (try server(), try Line())
    server.always(.silence)
    let url = server.url("/a.flac")
    let task = Task { () -> TransferTrouble? in
      do throws(TransferFailure) {
        _ = try await line.transfers.get(TransferRequest(url), limit: 100)
        return nil
      } catch { return error.trouble }
    }
    await server.until { $0.requests.count == 1 }
    task.cancel()
    #expect(await task.value == .cancelled)
    await server.until { $0.openConnections == 0 }
  }

  @Test("through a proxy, which is told the whole address; not where it shall not be used")
  func proxy() async throws {
    let (proxy, direct) = (try FaultServer(), try server())
    proxy.always(.answer(200, [], Array("by the proxy".utf8)))
    var settings = TransferSettings()
    (settings.proxy, settings.withoutProxy) = ("http://127.0.0.1:\(proxy.port)", "127.0.0.1")
    let line = try Line(settings)
    let answer = try await line.transfers.get(TransferRequest("http://music.example/a?b"), limit: 100)
    #expect(String(decoding: answer.bytes, as: UTF8.self) == "by the proxy")
    #expect(proxy.requests.map(\.target) == ["http://music.example/a?b"])
    #expect(try await line.fetch(direct.url("/a.flac")).isAll(of: file.bytes))
    #expect(proxy.requests.count == 1)
  }

  @Test("a header with a line break, and what is no address, are never sent")
  func badRequests() async throws {
    let (server, line) = (try server(), try Line())
    var requests = ["ftp://127.0.0.1/a", "file:///etc/passwd", "", "http://"].map { TransferRequest($0) }
    requests.append(TransferRequest(server.url("/a.flac"), headers: [("X", "a\r\nY: b")]))
    requests.append(TransferRequest(server.url("/a.flac"), headers: [("", "a")]))
    for request in requests { #expect(try await line.fetch(request).trouble == .badRequest, "\(request.url)") }
    #expect(server.requests.isEmpty)
  }

  @Test("the caller's headers are sent")
  func headers() async throws {
    let (server, line) = (try server(), try Line())
    _ = try await line.fetch(
      TransferRequest(server.url("/a.flac"), headers: [("Authorization", "Bearer x"), ("X", "")]))
    let request = try #require(server.requests.first)
    #expect(request["authorization"] == "Bearer x" && request["x"] == "")
  }
}
