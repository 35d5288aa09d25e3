import Runtime

/// Where the power supplies are read. Tests have a folder of their own.
package struct PowerSurroundings: Sendable {
  package var supplies = FilePath("/sys/class/power_supply")
  package var news: @Sendable () throws(Fault) -> any KernelNews = { () throws(Fault) in
    try NetlinkNews.powerSupplies()
  }

  /// More are not looked at.
  static let most = 64

  package init() {}

  /// Each file may be a question to a chip on a slow wire, so never on the main loop.
  package func read() -> [PowerSupply] {
    let names: [FilePath]
    // A kernel without any has no such folder.
    do throws(Fault) { names = try Folder.names(in: supplies, limit: Self.most) } catch { return [] }
    return names.compactMap { name in
      PowerSupply(name: name.description) { attribute in Self.text(supplies / name.description / attribute) }
    }
  }

  /// Nil when it is not there, or the chip did not answer.
  private static func text(_ path: FilePath) -> String? {
    do throws(Fault) {
      let line = try AtomicFile.read(path, limit: 4_096).prefix { $0 != 0x0A }
      return line.isEmpty ? nil : shownPlain(String(decoding: line, as: UTF8.self))
    } catch { return nil }
  }
}

/// Knows the power supplies of this machine. The kernel sends an event when one changes. They are also read once a minute,
/// because some gauges send none. Levels are filtered (`LevelFilter`); plugging in or out counts at once.
@MainLoop
package final class PowerPart: Part {
  nonisolated package let name = "power"
  nonisolated package static let pollsAfter: Duration = .seconds(60)
  /// Changes seldom come alone.
  nonisolated package static let settling: Duration = .milliseconds(100)
  /// A level that has jumped is looked at again, so often and after so long.
  nonisolated package static let looksAgain = 2
  nonisolated package static let looksAgainAfter: Duration = .seconds(2)

  private let surroundings: PowerSurroundings
  private let errand: Errand
  private let tell: @MainLoop (PowerState) -> Void
  private var filter = LevelFilter()
  private var followers: [Mailbox<PowerState>] = []
  private var hasLooked = false
  private let log = Log("power")

  package private(set) var state = PowerState()
  /// As they were read last, not filtered.
  package private(set) var supplies: [PowerSupply] = []

  package init(
    _ surroundings: PowerSurroundings = PowerSurroundings(), by errand: Errand = .ownThread,
    tell: @escaping @MainLoop (PowerState) -> Void
  ) {
    self.surroundings = surroundings
    self.errand = errand
    self.tell = tell
  }

  /// Sends the present state, and each new one from now on.
  package func follow(_ box: Mailbox<PowerState>) {
    if hasLooked { box.send(state) }
    followers.append(box)
  }

  package func run() async throws(Fault) {
    let news = try surroundings.news()
    defer { MainLoop.loop.forget(news.number) }
    // The kernel's messages are received from before the first reading on, so that no change is missed.
    await readKernel()
    var looksLeft = Self.looksAgain
    while !Task.isCancelled {
      let isSoon = filter.isUnsettled && looksLeft > 0
      let limit = isSoon ? Self.looksAgainAfter : Self.pollsAfter
      let isNews = await news.wait(within: limit)
      if isNews, await MainLoop.loop.sleep(for: Self.settling) { _ = news.take() }
      if Task.isCancelled { return }
      looksLeft = isNews || !isSoon ? Self.looksAgain : looksLeft - 1
      await readKernel()
    }
  }

  private func readKernel() async {
    let surroundings = surroundings
    do throws(Fault) { supplies = try await errand.perform { surroundings.read() } } catch {
      return log.warning("cannot see what feeds this machine", ["reason": error.message])
    }
    let reading = PowerReading(supplies)
    filter.take(reading.level, at: MainLoop.loop.now)
    // A battery whose gauge says nothing for a moment has not gone.
    let hasBattery = reading.hasBattery || filter.level != nil
    let next = PowerState(
      hasBattery: hasBattery, level: filter.level,
      isPlugged: reading.hasBattery || !hasBattery ? reading.isPlugged : state.isPlugged)
    let isFirst = !hasLooked
    hasLooked = true
    guard next != state || isFirst else { return }
    state = next
    log.notice("power", ["state": next.json(supplies)])
    tell(next)
    followers.removeAll(where: \.isClosed)
    for box in followers { box.send(next) }
  }
}
