import Runtime

/// Tells the owner of a power supply that is too weak, and of a board that is too hot: either can interrupt the music. The
/// kernel sends an event when the voltage was too low; temperatures have to be read.
@MainLoop
package final class BoardAlarmsPart: Part {
  /// Where it is read. Tests have folders of their own.
  package struct Surroundings: Sendable {
    package var undervoltage = UndervoltageAlarm()
    package var heat = HeatSensors()
    package var news: @Sendable () throws(Fault) -> any KernelNews = { () throws(Fault) in
      try NetlinkNews.hardwareMonitors()
    }

    package init() {}

    /// A sensor may be a chip on a slow wire, so never on the main loop.
    package func read() -> BoardAlarms.Reading {
      BoardAlarms.Reading(isUndervolted: undervoltage.isOn(), degrees: heat.hottest(ofBoard: true))
    }
  }

  nonisolated package let name = "board-alarms"
  nonisolated package static let readsAfter: Duration = .seconds(60)
  /// Where nobody measures anything; a driver may come late.
  nonisolated package static let looksAfter: Duration = .seconds(600)

  private let surroundings: Surroundings
  private let errand: Errand
  private let notices: NoticeBoard
  private let log = Log("power")

  package private(set) var alarms = BoardAlarms()

  package init(_ notices: NoticeBoard, in surroundings: Surroundings = Surroundings(), by errand: Errand = .ownThread) {
    (self.notices, self.surroundings, self.errand) = (notices, surroundings, errand)
  }

  package func run() async throws(Fault) {
    let news = try surroundings.news()
    defer { MainLoop.loop.forget(news.number) }
    while !Task.isCancelled {
      await readKernel()
      let isMeasured = alarms.reading.isUndervolted != nil || alarms.reading.degrees != nil
      _ = await news.wait(within: isMeasured ? Self.readsAfter : Self.looksAfter)
    }
  }

  private func readKernel() async {
    let surroundings = surroundings
    do throws(Fault) {
      let reading = try await errand.perform { surroundings.read() }
      for change in alarms.hear(reading, at: MainLoop.loop.now) { tell(change) }
    } catch { log.warning("cannot read the board's sensors", ["reason": error.message]) }
  }

  private func tell(_ change: BoardAlarms.Change) {
    switch change {
    case .undervoltage(true):
      notices.stand(
        Notice("H-614", "The power supply is too weak for this board. Try another one, or a shorter cable.").asProblem)
    case .undervoltage(false): notices.withdraw("H-614")
    case .heat(true):
      let degrees = alarms.reading.degrees ?? BoardAlarms.tooHot
      notices.stand(
        Notice("H-615", "The board is too hot (\(degrees) °C), and works slowly until it has cooled. Give it air.")
          .asProblem)
    case .heat(false): notices.withdraw("H-615")
    }
  }
}

extension BoardAlarms {
  package var json: JSON {
    [
      "undervoltage": reading.isUndervolted.map { JSON($0) } ?? .null,
      "undervoltages": undervoltages.map { JSON($0) } ?? .null, "degrees": reading.degrees.map { JSON($0) } ?? .null,
      "hot": JSON(isHot),
    ]
  }
}
