import Offline
import Runtime
import Services

/// Music that is downloaded and kept: what is wanted, its progress, and what of it can be played. A source may be slow,
/// so it is asked on the loop of `OfflinePart`; the main loop waits for the answer without being blocked. It lives on
/// the main loop.
@MainLoop
package final class Keeping {
  /// Whether `OfflinePart` can be asked. It is opened once the library is open.
  package enum Availability: Sendable {
    /// The owner's file names no source.
    case withoutSources
    case opening
    case open(OfflinePart, on: EventLoop)
    case broken(Fault)
  }

  package var availability = Availability.withoutSources {
    didSet { for box in availabilityFollowers { box.send(availability) } }
  }
  package var sources: [any MediaSource] = []
  private var availabilityFollowers: [Mailbox<Availability>] = []
  private var followers: [Mailbox<OfflineEvent>] = []
  var sorted = SortedOffers()
  /// When each source last gave nothing to somebody who chose a song of it, until it gives something.
  var silent: [String: Moment] = [:]

  nonisolated package init() {}

  /// Tries to open `OfflinePart`; it can be tried again. After a failure, everybody who asks is told the reason.
  package func open(
    _ begin: @MainLoop () async throws(Fault) -> (OfflinePart, on: EventLoop)
  ) async throws(Fault) {
    do throws(Fault) {
      let (part, loop) = try await begin()
      availability = .open(part, on: loop)
    } catch {
      availability = .broken(error)
      throw error
    }
  }

  package var isOpen: Bool { if case .open = availability { true } else { false } }

  /// False where the owner's file names no source.
  package var fetches: Bool { if case .withoutSources = availability { false } else { true } }

  // MARK: Events

  /// Reports each change of `availability`, so that a stream that could not begin can be tried again.
  package func follow(_ changes: Mailbox<Availability>) { availabilityFollowers.append(changes) }

  package func follow(_ events: Mailbox<OfflineEvent>) { followers.append(events) }

  package func tell(_ event: OfflineEvent) {
    if case .download(let download) = event, let key = download.served { silent[key.source] = nil }
    followers.removeAll(where: \.isClosed)
    for box in followers { box.send(event) }
  }

  // MARK: Asking

  /// For details such as a cover or a name: also nil where nothing is downloaded, or while `OfflinePart` cannot be
  /// asked. The reason for that is told once, by `health()`.
  func askQuietly<Result: Sendable>(
    _ body: @escaping @Sendable (OfflinePart) async throws(Fault) -> Result?
  ) async -> Result? {
    do throws(Fault) { return try await ask(body) } catch { return nil }
  }

  func ask<Result: Sendable>(
    _ body: @escaping @Sendable (OfflinePart) async throws(Fault) -> Result
  ) async throws(Fault) -> Result {
    let (part, loop) = try opened
    let answer = await withCheckedContinuation {
      (continuation: CheckedContinuation<Swift.Result<Result, Fault>, Never>) in
      Task(executorPreference: loop) {
        do throws(Fault) { continuation.resume(returning: .success(try await body(part))) } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try answer.get()
  }

  func containers(
    _ kind: ContainerID.Kind, of source: any MediaSource
  ) async throws(Fault) -> [MediaContainer] {
    let (_, loop) = try opened
    let answer = await withCheckedContinuation {
      (continuation: CheckedContinuation<Swift.Result<[MediaContainer], MediaFailure>, Never>) in
      Task(executorPreference: loop) {
        do throws(MediaFailure) { continuation.resume(returning: .success(try await source.containers(kind))) } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    switch answer {
    case .success(let found): return found
    case .failure(let failure): throw failure.fault
    }
  }

  var opened: (OfflinePart, EventLoop) {
    get throws(Fault) {
      switch availability {
      case .open(let part, let loop): return (part, loop)
      case .broken(let fault): throw fault
      case .opening: throw Fault(.busy, "X-190", "what is kept offline is not known yet; the library is being opened")
      case .withoutSources:
        throw Fault(.missing, "X-189", "there is nothing to fetch from: layby.conf names no source; [source NAME] does")
      }
    }
  }
}
