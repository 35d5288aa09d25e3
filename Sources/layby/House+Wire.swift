import Glibc
import HTTP
import Hardware
import Offline
import Runtime
import Services

/// Sockets, wired: what is kept of the hosts they reach, and the question whether the internet is there.
extension House {
  /// Made when the first asks for it. Most boards have nothing to fetch, and then there is no thread for it.
  func openWire(_ storage: Storage) async throws(Fault) -> Transfers {
    if let wire { return wire }
    var settings = try TransferSettings(self.settings, chosen.flags)
    settings.strictHosts = await storage.strictHosts()
    // Somebody else may have been quicker.
    if let wire { return wire }
    let opened = try Transfers(settings: settings)
    wire = opened
    context.watchdogs.expect(slow: "net", opened.loop)
    return opened
  }

  /// Nil where nobody said what is to be asked.
  func probe(_ storage: Storage) -> NetworkPart.Probe? {
    guard let address = settings[.probe] else { return nil }
    let expected = ProbeExpectation(text: settings[.probeAnswer])
    return {
      do throws(Fault) {
        var request = TransferRequest(address)
        // Where somebody else answers, they mostly send us to their own page.
        request.redirects = .tell
        request.connectLimit = .seconds(10)
        request.stall = StallLimit(bytesASecond: 1, for: .seconds(10))
        let wire = try await self.openWire(storage)
        return await Self.ask(wire, request, expected)
      } catch {
        self.log.warning("nobody can ask whether the internet is there", ["reason": error.message])
        return .nothing
      }
    }
  }

  private static func ask(
    _ wire: Transfers, _ request: TransferRequest, _ expected: ProbeExpectation
  ) async -> Reachability.Answer {
    do throws(TransferFailure) {
      // Somebody else's page may drip for as long as it likes.
      let (head, bytes) = try await wire.get(request, limit: 65_536, within: TimeLimit(.seconds(15)))
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

extension TransferSettings {
  /// What the owner says of all transfers. A source whose keys are pinned is fetched from by those, or nothing is.
  init(_ settings: Settings, _ flags: Flags = Flags()) throws(Fault) {
    self.init()
    bytesASecond = TransferRules.cap(settings)
    speaksHTTP2 = flags.isOn(.http2)
    proxy = settings[.offlineProxy]
    let direct = settings[.offlineDirect]
    withoutProxy = direct.isEmpty ? nil : direct.joined(separator: ",")
    for name in settings.sources {
      do throws(Fault) { try pin(name, by: settings) } catch {
        throw Fault(error.kind, error.code, "[source \(name)]: \(error.message)")
      }
    }
  }

  private mutating func pin(_ name: String, by settings: Settings) throws(Fault) {
    let (key, backup) = (settings[.sourcePin(name)], settings[.sourceBackupPin(name)])
    guard key != nil || backup != nil else { return }
    guard let key, let backup else {
      throw Fault(.malformed, "C-110", "pin and backup_pin stand together: with one key alone a lost one is the end")
    }
    // What is no folder is told of elsewhere, and nothing is fetched from it.
    guard let folder = settings[.sourceURL(name)].flatMap({ FolderAddress($0) }) else { return }
    try pin(folder.text, to: PinnedKeys(key, backup: backup))
  }
}

extension ProbeExpectation {
  /// `204`, or the text with which an answer begins.
  init(text: String) {
    if text.utf8.count == 3, let status = Int(text), (100...599).contains(status) {
      self.init(status: status)
    } else {
      self.init(status: 200, body: Array(text.utf8))
    }
  }
}

extension Storage {
  private var strictHostsFile: FilePath { path / "strict-hosts" }

  /// What is not there or cannot be read costs one question without TLS at most, for the hosts ask again.
  func strictHosts() async -> StrictHosts {
    let file = strictHostsFile
    return await loop.perform {
      do throws(Fault) {
        return StrictHosts(
          parsing: try AtomicFile.read(file, limit: StrictHosts.longestFile), now: Int64(time(nil)))
      } catch {
        if error.kind != .missing { Log("layby").warning("strict hosts are unknown", ["reason": error.message]) }
        return StrictHosts()
      }
    }
  }

  func keep(_ hosts: StrictHosts) async {
    let (file, bytes) = (strictHostsFile, hosts.bytes)
    await loop.perform {
      do throws(Fault) { try AtomicFile.replace(file, with: bytes) } catch {
        Log("layby").warning("strict hosts are not kept", ["reason": error.message])
      }
    }
  }
}
