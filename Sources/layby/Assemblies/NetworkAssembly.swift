import HTTP
import Hardware
import Runtime

/// The network: what the kernel tells of it, the question whether the internet is there, and the connections of all
/// transfers. It lives on the main loop. Hosts that must be reached by TLS are kept in the state folder; after a power
/// cut the last of them may be missing, and the hosts ask again.
@MainLoop
final class NetworkAssembly {
  /// Nil before `keep`, and where the kernel tells nothing.
  private(set) var part: NetworkPart?
  let context: ProgramContext
  private let storage: Storage
  /// Shows whether anything can be reached. Nil in tests that have no panel.
  private let panel: PanelAssembly?
  private var opened: Transfers?
  /// As they are on the disk.
  private var strictHosts = StrictHosts()
  private let log = Log("layby")

  init(_ context: ProgramContext, _ storage: Storage, _ panel: PanelAssembly?) {
    (self.context, self.storage, self.panel) = (context, storage, panel)
  }

  /// Nobody waits for it: music needs no network.
  func keep(in surroundings: NetworkSurroundings = NetworkSurroundings()) async {
    do throws(Fault) {
      let part = try NetworkPart(
        surroundings, metered: MeteredRule(context.settings), tell: { [panel] in panel?.hear($0) }, probe: probe)
      self.part = part
      await context.supervisor.keep(part, when: .restart)
    } catch { context.notices.post(Notice(error, instead: "nothing is known of the network")) }
  }

  // MARK: Transfers

  /// Made when the first asks for them. Most boards have nothing to fetch, and then there is no thread for it.
  func transfers() async throws(Fault) -> Transfers {
    if let opened { return opened }
    var settings = try TransferSettings(context.settings, context.chosen.flags)
    settings.strictHosts = await storage.strictHosts()
    // Somebody else may have been quicker.
    if let opened { return opened }
    let transfers = try Transfers(settings: settings)
    opened = transfers
    strictHosts = settings.strictHosts
    context.watchdogs.expect(slow: "net", transfers.loop)
    return transfers
  }

  /// Writes down which hosts asked for TLS, if there are new ones.
  func keepStrictHosts() async {
    guard let now = await opened?.strictHosts, now != strictHosts else { return }
    strictHosts = now
    await storage.keep(now)
  }

  // MARK: The probe

  /// Nil where nobody said what is to be asked.
  private var probe: NetworkPart.Probe? {
    guard let address = context.settings[.probe] else { return nil }
    let expected = ProbeExpectation(text: context.settings[.probeAnswer])
    return {
      do throws(Fault) {
        var request = TransferRequest(address)
        // Where somebody else answers, they mostly send us to their own page.
        request.redirects = .tell
        request.connectLimit = .seconds(10)
        request.stall = StallLimit(bytesASecond: 1, for: .seconds(10))
        return await Self.ask(try await self.transfers(), request, expected)
      } catch {
        self.log.warning("nobody can ask whether the internet is there", ["reason": error.message])
        return .nothing
      }
    }
  }

  private static func ask(
    _ transfers: Transfers, _ request: TransferRequest, _ expected: ProbeExpectation
  ) async -> Reachability.ProbeResult {
    do throws(TransferFailure) {
      // Somebody else's page may drip for as long as it likes.
      let (head, bytes) = try await transfers.get(request, limit: 65_536, within: TimeLimit(.seconds(15)))
      return expected.answer(status: head.status, body: bytes)
    } catch {
      switch error.trouble {
      // Somebody answered, and not as was agreed.
      case .tooLarge, .protocolError, .encoded: return .other
      default: return .nothing
      }
    }
  }
}
