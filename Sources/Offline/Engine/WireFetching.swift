import HTTP
import Runtime
import Services
import Synchronization

/// Files and indexes as they come over HTTP: what downloads and sources ask for, put to `Transfers`, and its answers told
/// in their words. Nothing is kept here but how much came.
package final class WireFetching: MediaFetching, FileFetching, ServiceAsking {
  /// What has come and is not on its way to the disk yet: enough for a disk that takes a moment, and little enough that
  /// with what is written and not durable it stays within the megabyte that a power cut may cost.
  package static let window = 192 << 10
  /// Longer than any music, for files of which nobody says how long they are: a radio station never ends.
  package static let longest: Int64 = 4 << 30
  /// For an index: a small one comes within a minute over any line, and a large one as fast as the smallest music must.
  package static let patience = TimeLimit(.seconds(60), bytesASecond: 8_000)

  private let transfers: Transfers
  private let date: @Sendable () -> Int64?
  private let measured: @Sendable (LineMeter.Measurement) -> Void
  private let meter = Mutex(LineMeter())
  private let stall: StallLimit
  private let connectLimit: Duration
  private let patience: TimeLimit

  /// `date`: seconds since 1970, nil while the clock is not to be trusted. `measured` is called on the loop of
  /// `transfers`.
  package init(
    _ transfers: Transfers, stall: StallLimit = StallLimit(), connectLimit: Duration = .seconds(20),
    patience: TimeLimit = WireFetching.patience,
    date: @escaping @Sendable () -> Int64?, measured: @escaping @Sendable (LineMeter.Measurement) -> Void = { _ in }
  ) {
    (self.transfers, self.stall, self.connectLimit, self.patience) = (transfers, stall, connectLimit, patience)
    (self.date, self.measured) = (date, measured)
  }

  package func fetch(
    _ place: MediaPlace, _ asked: Asked, hear: @escaping @Sendable (FetchNews) -> Void
  ) async -> any MediaFetch {
    var request = TransferRequest(place.url)
    (request.from, request.ifRange, request.window) = (asked.from, asked.ifRange, Self.window)
    request.stall = stall
    request.connectLimit = connectLimit
    let fetch = WireFetch(of: self, most: place.size == nil ? Self.longest : nil, hear)
    fetch.runs(await transfers.start(request, for: fetch))
    return fetch
  }

  package func fetch(_ url: String, unless tag: String?, limit: Int) async throws(MediaFailure) -> FetchedFile {
    let headers = tag.map { [(name: "If-None-Match", value: $0)] } ?? []
    do throws(TransferFailure) {
      let request = TransferRequest(url, headers: headers)
      let (head, bytes) = try await transfers.get(request, limit: limit, within: patience)
      let type = MediaResponse(status: head.status, head.headers).type
      return FetchedFile(status: head.status, tag: head["etag"], type: type, bytes: bytes)
    } catch {
      throw failure(error)
    }
  }

  package func ask(_ asked: ServiceRequest) async throws(MediaFailure) -> ServiceAnswer {
    var request = TransferRequest(asked.url, headers: asked.headers.map { ($0.name, $0.value) })
    request.method =
      switch asked.method {
      case .get: .get
      case .post: .post
      case .delete: .delete
      }
    (request.body, request.redirects) = (asked.body, .tell)
    do throws(TransferFailure) {
      let (head, bytes) = try await transfers.get(request, limit: asked.limit, within: patience)
      let type = MediaResponse(status: head.status, head.headers).type
      return ServiceAnswer(
        status: head.status, nonce: head["dpop-nonce"], tag: head["etag"], type: type, bytes: bytes)
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ failure: TransferFailure) -> MediaFailure {
    switch failure.trouble {
    case .protocolError, .tooLarge, .encoded, .badRequest: return MediaFailure(.malformed, failure.fault)
    default:
      let trouble = Trouble(failure.trouble, isClockSet: date() != nil)
      return MediaFailure(.network, failure.fault, cause: trouble.name)
    }
  }

  // MARK: For its transfers

  var now: Int64? { date() }

  func began() { meter.withLock { $0.began(at: .now) } }

  func took(_ count: Int, wasHeldBack: Bool) {
    if let one = meter.withLock({ $0.took(count, wasHeldBack: wasHeldBack, at: .now) }) { measured(one) }
  }

  func ended() {
    if let one = meter.withLock({ $0.ended(at: .now) }) { measured(one) }
  }
}

extension MediaResponse {
  init(status: Int, _ headers: [AnswerHead.Header], now: Int64? = nil) {
    self.init(status: status, headers: headers.map { ($0.name, $0.value) }, now: now)
  }
}
