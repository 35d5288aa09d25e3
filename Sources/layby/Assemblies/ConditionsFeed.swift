import Hardware
import Offline
import Runtime

/// Gathers what transfers depend on: network, power, disk, heat and time. It lives on the main loop.
@MainLoop
final class ConditionsFeed {
  /// A speed that was measured is believed for so long: this morning's line is not last evening's.
  private static let remembersSpeed: Duration = .seconds(600)

  private let context: ProgramContext
  private let network: NetworkAssembly
  private let power: PowerAssembly
  private var conditions = TransferConditions()
  /// When bytes last came over the line at their own speed.
  private var measuredAt: Moment?
  private var networks = Mailbox<NetworkState>(limit: 16)
  private var powers = Mailbox<PowerState>(limit: 16)
  private var holds = Mailbox<Bool>(limit: 16)

  init(_ context: ProgramContext, _ network: NetworkAssembly, _ power: PowerAssembly) {
    (self.context, self.network, self.power) = (context, network, power)
  }

  /// As they are now.
  var now: TransferConditions {
    var now = conditions
    let isNew = measuredAt.map { MainLoop.loop.now - $0 < Self.remembersSpeed } ?? false
    now.bitsASecond = isNew ? network.part?.bandwidth.bitsPerSecond : nil
    return now
  }

  private var needsInternet: Bool { context.settings[.offlineNeedsInternet] }

  /// Takes what is known at this moment; `follow` tells of changes.
  func begin() {
    conditions.hear(network.part?.state ?? NetworkState(), needsInternet: needsInternet)
    conditions.hear(power.part?.state ?? PowerState())
    conditions.holdsWrites = power.holdsWrites
  }

  /// Calls `changed` after each change, until `stop`.
  func follow(_ changed: @escaping @MainLoop () -> Void) {
    (networks, powers, holds) = (Mailbox(limit: 16), Mailbox(limit: 16), Mailbox(limit: 16))
    network.part?.follow(networks)
    power.part?.follow(powers)
    power.follow(holds: holds)
    let needsInternet = needsInternet
    listen(networks, changed) { $0.hear($1, needsInternet: needsInternet) }
    listen(powers, changed) { $0.hear($1) }
    listen(holds, changed) { $0.holdsWrites = $1 }
  }

  private func listen<Message: Sendable>(
    _ box: Mailbox<Message>, _ changed: @escaping @MainLoop () -> Void,
    _ hear: @escaping @MainLoop (inout TransferConditions, Message) -> Void
  ) {
    MainLoop.start {
      while let message = await box.receive() {
        hear(&self.conditions, message)
        changed()
      }
    }
  }

  func stop() {
    networks.close()
    powers.close()
    holds.close()
  }

  /// `free` is nil while the disk is not there that fetched music belongs on.
  func take(free: Int64?, heat: Int?, date: Int64) {
    (conditions.free, conditions.heat) = (free, heat)
    conditions.hear(date: date)
  }

  /// Bytes that came over the line. While a limit holds them back they say little of the line.
  func take(_ measured: LineMeter.Measurement) {
    let wasHeldBack = measured.wasHeldBack || TransferRules.cap(context.settings) != nil
    if !wasHeldBack { measuredAt = MainLoop.loop.now }
    network.part?.bandwidth.take(measured.bytes, in: measured.duration, wasHeldBack: wasHeldBack)
  }
}
