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
    let (server, line) = (try server(), try TestTransfers())
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
    let (server, line) = (try server(), try TestTransfers())
    _ = try await line.fetch(server.url("/a.flac"))
    let request = try #require(server.requests.first)
    #expect(request["accept-encoding"] == "identity")
    #expect(request["range"] == nil && request["user-agent"] == "layby")
  }

  @Test("from a byte on, with the validator of what is there", arguments: [1, 4_096, 299_999])
  func part(from: Int) async throws {
    let (server, line) = (try server(), try TestTransfers())
    var request = TransferRequest(server.url("/a.flac"))
    (request.from, request.ifRange) = (Int64(from), "\"first\"")
    let outcome = try await line.fetch(request)
    #expect(outcome.head?.status == 206)
    #expect(outcome.head?["content-range"] == "bytes \(from)-299999/300000")
    #expect(outcome.isAll(of: file.bytes[from...]))
  }

  @Test("a file that has changed since comes whole")
  func changed() async throws {
    let (server, line) = (try server(), try TestTransfers())
    var request = TransferRequest(server.url("/a.flac"))
    (request.from, request.ifRange) = (1_000, "\"older\"")
    let outcome = try await line.fetch(request)
    #expect(outcome.head?.status == 200)
    #expect(outcome.isAll(of: file.bytes))
  }

  @Test(
    "an answer that is no music is an answer all the same", arguments: [401, 403, 404, 410, 416, 429, 500, 502, 503])
  func statuses(status: Int) async throws {
    let (server, line) = (try server(), try TestTransfers())
    server.script("/a.flac", [.status(status, [("Retry-After", "7"), ("Content-Range", "bytes */300000")])])
    let outcome = try await line.fetch(server.url("/a.flac"))
    #expect(outcome.head?.status == status)
    #expect(outcome.head?["retry-after"] == "7")
    #expect(outcome.ending != nil)
  }

  @Test("a connection is used again")
  func reuse() async throws {
    let (server, line) = (try server(), try TestTransfers())
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
    let line = try TestTransfers()
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
    let (server, line) = (try server(), try TestTransfers())
    let answer = try await line.transfers.get(TransferRequest(server.url("/a.flac")), limit: 300_000, within: plenty)
    #expect(answer.head.status == 200 && answer.bytes == file.bytes)
    do throws(TransferFailure) {
      _ = try await line.transfers.get(TransferRequest(server.url("/a.flac")), limit: 299_999, within: plenty)
      Issue.record("it was not refused")
    } catch { #expect(error.trouble == .tooLarge) }
  }

  private func trouble(
    _ line: TestTransfers, _ url: String, within time: TimeLimit
  ) async -> TransferTrouble? {
    do throws(TransferFailure) {
      _ = try await line.transfers.get(TransferRequest(url), limit: 300_000, within: time)
      return nil
    } catch { return error.trouble }
  }

  @Test("a small answer that drips is not waited for, whether it drips its head or its body, or says nothing at all")
  func drips() async throws {
    let (server, line) = (try server(), try TestTransfers())
    let drop: (Act) -> Act = { .slowly($0, bytes: 10, every: .milliseconds(10)) }
    let body = drop(.answer(200, [], [UInt8](repeating: 1, count: 100_000)))
    let elsewhere = drop(.redirect(to: "/" + String(repeating: "a", count: 5_000)))
    for (number, act) in [body, drop(.manyHeaders(99)), elsewhere, .silence].enumerated() {
      server.script("/drip", [act])
      let found = await trouble(line, server.url("/drip"), within: TimeLimit(.milliseconds(300)))
      #expect(found == .stalled, "\(number)")
      await server.until { $0.openConnections == 0 }
    }
  }

  @Test("one that is long is waited for, as long as it comes fast enough")
  func longButSteady() async throws {
    let (server, line) = (try server(), try TestTransfers())
    let body = Act.answer(200, [], [UInt8](repeating: 1, count: 1_000))
    server.script("/long", [.slowly(body, bytes: 10, every: .milliseconds(10))])
    let patient = TimeLimit(.milliseconds(300), bytesASecond: 100)
    #expect(await trouble(line, server.url("/long"), within: patient) == nil)
  }

  @Test("time in which it is held back by the cap is not its own")
  func heldBack() async throws {
    let (server, line) = (try server(), try TestTransfers())
    await line.transfers.limit(bytesASecond: 1)
    async let held = trouble(line, server.url("/a.flac"), within: TimeLimit(.milliseconds(500)))
    await server.until { $0.requests.count == 1 }
    // Another that does take too long tells that the time has gone by.
    server.script("/b", [.silence])
    #expect(await trouble(line, server.url("/b"), within: TimeLimit(.seconds(2))) == .stalled)
    await line.transfers.limit(bytesASecond: nil)
    #expect(await held == nil)
  }

  @Test("how long an answer may take grows with what has come, and no number of bytes is too much")
  func timeLimits() {
    #expect(TimeLimit(.seconds(15)).time(for: 1 << 20) == .seconds(15))
    let patient = TimeLimit(.seconds(60), bytesASecond: 8_000)
    #expect(patient.time(for: 0) == .seconds(60) && patient.time(for: 80_000) == .seconds(70))
    #expect(patient.time(for: 4) == .milliseconds(60_000.5) && patient.time(for: -5) == .seconds(60))
    #expect(TimeLimit(.seconds(1), bytesASecond: 1).time(for: .max) > .seconds(Int64.max))
  }

  @Test("a small answer whose task is cancelled ends at once")
  func smallCancelled() async throws {
    let (server, line) = (try server(), try TestTransfers())
    server.always(.silence)
    let url = server.url("/a.flac")
    let task = Task { () -> TransferTrouble? in
      do throws(TransferFailure) {
        _ = try await line.transfers.get(TransferRequest(url), limit: 100, within: plenty)
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
    let line = try TestTransfers(settings)
    let answer = try await line.transfers.get(TransferRequest("http://music.example/a?b"), limit: 100, within: plenty)
    #expect(String(decoding: answer.bytes, as: UTF8.self) == "by the proxy")
    #expect(proxy.requests.map(\.target) == ["http://music.example/a?b"])
    #expect(try await line.fetch(direct.url("/a.flac")).isAll(of: file.bytes))
    #expect(proxy.requests.count == 1)
  }

  @Test("a header with a line break, and what is no address, are never sent")
  func badRequests() async throws {
    let (server, line) = (try server(), try TestTransfers())
    var requests = ["ftp://127.0.0.1/a", "file:///etc/passwd", "", "http://"].map { TransferRequest($0) }
    requests.append(TransferRequest(server.url("/a.flac"), headers: [("X", "a\r\nY: b")]))
    requests.append(TransferRequest(server.url("/a.flac"), headers: [("", "a")]))
    for request in requests { #expect(try await line.fetch(request).trouble == .badRequest, "\(request.url)") }
    #expect(server.requests.isEmpty)
  }

  @Test("the caller's headers are sent")
  func headers() async throws {
    let (server, line) = (try server(), try TestTransfers())
    _ = try await line.fetch(
      TransferRequest(server.url("/a.flac"), headers: [("Authorization", "Bearer x"), ("X", "")]))
    let request = try #require(server.requests.first)
    #expect(request["authorization"] == "Bearer x" && request["x"] == "")
  }
}
