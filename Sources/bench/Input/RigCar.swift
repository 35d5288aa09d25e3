import Hardware
import Playback
import Runtime

/// The ignition's part as the program has it, in a new one for each drive: one alone saves rarely when the line falls
/// often. Nothing is ever switched off.
@MainLoop
final class RigCar {
  private let transport: Transport
  private let notes: RigNotes
  private var part: SwitchOffPart?
  private var running: Task<Void, Never>?

  /// Longer than the bench runs: only the first falling edge is looked at.
  private static let rules = Ignition.Rules(debounce: .seconds(600), offAfter: .seconds(600))

  init(_ transport: Transport, _ notes: RigNotes) { (self.transport, self.notes) = (transport, notes) }

  func take(_ isOn: Bool, at moment: Moment) {
    if isOn { begin() }
    part?.take(isOn, at: moment)
  }

  private func begin() {
    running?.cancel()
    let (transport, notes) = (transport, notes)
    let duties = SwitchOffPart.Duties(
      save: { () async throws(Fault) in
        try await transport.save()
        notes.save()
      },
      rest: {}, wake: {}, holdWrites: { _ in }, powerOff: {}, takeBack: {})
    let part = SwitchOffPart(
      Self.rules, isWired: true, duties, NoticeBoard(), unheard: Fault(.passing, "B-276", "nobody switches off"))
    self.part = part
    running = MainLoop.start {
      do throws(Fault) { try await part.run() } catch { notes.fail(error) }
    }
  }
}
