import Application
import Ciphers
import Glibc
import Offline
import Rights
import Runtime
import Seals

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
    let board = context.settings[.boundTo]
    let device = Result { () throws(Fault) in
      try DeviceRights(in: context.statePath / "rights", board: board, roots: roots) { .now }
    }
    licences = Licences(device)
    switch device {
    case .success(let rights):
      if case .file = output { keys = nil } else { keys = rights }
    case .failure(let fault):
      keys = nil
      context.notices.post(Notice(fault, instead: "sealed music is not played"))
    }
  }
}

extension HonestClock.Reading {
  /// What this machine's clocks say.
  static var now: Self {
    var span = timespec()
    clock_gettime(CLOCK_BOOTTIME, &span)
    let clock = WallClock.now
    return Self(
      system: clock.seconds, uptime: Int64(span.tv_sec), boot: WallClock.boot, isSynchronised: clock.isHeld,
      hasBattery: WallClock.hasBattery)
  }
}
