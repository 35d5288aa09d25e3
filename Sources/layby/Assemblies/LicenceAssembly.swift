import Application
import Ciphers
import Glibc
import Offline
import Rights
import Runtime
import Seals
import Services

/// Sealed music: the device's licences, where a source in the owner's file gives any, and the keys for whoever decodes. It
/// lives on the main loop. After a power cut what was stored counts.
@MainLoop
final class LicenceAssembly {
  let licences: Licences
  /// Nil where the sound goes into a file: sealed music is not copied.
  let keys: (any TrackKeys)?

  init(_ context: ProgramContext, playingTo output: SoundOutput) {
    var roots: [String: SigningKey.PublicKey] = [:]
    for name in context.settings.sources {
      guard let text = context.settings[.sourceTrust(name)], let bytes = Base64.decode(text) else { continue }
      roots[name] = SigningKey.PublicKey(bytes: bytes)
    }
    guard !roots.isEmpty else {
      (licences, keys) = (Licences(nil), nil)
      return
    }
    let (settings, folder) = (context.settings, context.statePath / "rights")
    let keeper = Result { () throws(Fault) in try LicenceAssembly.keeper(settings, in: folder, roots) }
    licences = Licences(keeper)
    switch keeper {
    case .success(let keeper):
      if case .file = output { keys = nil } else { keys = keeper }
    case .failure(let fault):
      keys = nil
      context.notices.post(Notice(fault, instead: "sealed music is not played"))
    }
  }

  /// The broker where its socket is; it need not answer yet.
  private static func keeper(
    _ settings: Settings, in folder: FilePath, _ roots: [String: SigningKey.PublicKey]
  ) throws(Fault) -> any RightsKeeper {
    if let socket = settings.brokerSocket { return try KeysClient(at: socket, roots: roots) }
    let tpm = try settings.tpmAddress.map { address throws(Fault) in try TPM(address) }
    return try DeviceRights(in: folder, board: settings[.boundTo], tpm: tpm, roots: roots) { .now }
  }
}

/// Fetches licences: at the start, once a day, sooner when some end within two days, and when somebody asks.
@MainLoop
final class LicenceRenewal: LicenceSource {
  private let licences: Licences
  private let fetching: any IndexFetching
  private let loop: EventLoop
  /// By the names of their sources.
  private let folders: [String: FolderAddress]
  private var next = Moment(nanoseconds: 0)
  private var failures = 0
  private let log = Log("rights")

  init(_ licences: Licences, _ folders: [String: FolderAddress], _ fetching: any IndexFetching, on loop: EventLoop) {
    (self.licences, self.folders, self.fetching, self.loop) = (licences, folders, fetching, loop)
    licences.source = self
  }

  private static let daily: Duration = .seconds(86_400)
  private static let whenEnding: Duration = .seconds(3_600)
  private static let afterFailure: Duration = .seconds(60)

  /// Called every minute.
  func tick() async {
    guard let rights = try? licences.rights else { return }  // there is nothing to renew, which a notice has said
    let kept = await loop.perform { Result { () throws(Fault) in try rights.keepClock() } }
    if case .failure(let fault) = kept { log.warning("the time is not kept", ["reason": fault.message]) }
    guard MainLoop.loop.now >= next else { return }
    _ = await askAll(rights)
  }

  func rotate(_ rights: any RightsKeeper) async throws(Fault) {
    let result = await loop.perform { Result { () throws(Fault) in try rights.rotate() } }
    try result.get()
  }

  func askAll(_ rights: any RightsKeeper) async -> [Licences.Renewal] {
    var renewals: [Licences.Renewal] = []
    for source in rights.sources {
      guard let folder = folders[source] else { continue }
      let outcome = await ask(source, at: folder, rights)
      if case .failure(let fault) = outcome {
        log.info("no new licences", ["source": source, "reason": fault.message])
      }
      renewals.append(Licences.Renewal(source, outcome))
    }
    let hasFailed = renewals.contains { if case .failure = $0.outcome { true } else { false } }
    failures = hasFailed ? min(failures + 1, 8) : 0
    let isEnding = await endsSoon(rights)
    let wait = hasFailed ? Self.afterFailure * (1 << failures) : isEnding ? Self.whenEnding : Self.daily
    next = MainLoop.loop.now + wait
    return renewals
  }

  private func endsSoon(_ rights: any RightsKeeper) async -> Bool {
    do throws(Fault) {
      let now = try await rights.time.now
      return try await rights.lines().contains { line in
        line.licence.ends.map { abs($0 - now) < 2 * 86_400 } ?? false
      }
    } catch { return false }  // Nobody knows; it is asked again as ever.
  }

  private func ask(
    _ source: String, at folder: FolderAddress, _ rights: any RightsKeeper
  ) async -> Result<Int, Fault> {
    let name: String
    do throws(Fault) { name = try await rights.name } catch { return .failure(error) }
    let url = folder.text + "licences/\(name).json"
    let answer: FetchedIndex
    do throws(MediaFailure) {
      answer = try await fetching.fetch(url, unless: nil, limit: LicenceBundle.longest)
    } catch { return .failure(error.fault) }
    guard answer.status == 200 else {
      let why = answer.status == 404 ? "it has no licences for this device" : "it answered \(answer.status)"
      return .failure(Fault(.missing, "X-232", "licences of \(source): \(why)"))
    }
    return await loop.perform { Result { () throws(Fault) in try rights.take(answer.bytes, from: source) } }
  }
}
