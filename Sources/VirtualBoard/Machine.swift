import Runtime

/// A running QEMU, from power-on to power-off. It is killed when this object goes.
package final class Machine {
  package let lineUp: LineUp
  package let qmp: QMP
  package let agent: Agent
  package let hands: Hands
  private let process: Spawned
  package let began = Moment.now

  /// Returns as soon as QEMU runs. The guest has just been switched on then, or continues where it was saved.
  package init(_ lineUp: LineUp) throws(Fault) {
    self.lineUp = lineUp
    for socket in [lineUp.qmp, lineUp.agent, lineUp.hands] { socket.remove() }
    let process = try Spawned(try lineUp.words(), output: lineUp.output)
    self.process = process
    do throws(Fault) {
      // The agent comes first, because what the guest sends before we are connected is lost.
      agent = try Agent(connectingTo: lineUp.agent, within: .seconds(20))
      hands = try Hands(connectingTo: lineUp.hands, within: .seconds(20))
      qmp = try QMP(connectingTo: lineUp.qmp, within: .seconds(20))
    } catch {
      throw Fault(error.kind, error.code, "\(error.message); the emulator says: \(lineUp.output.lastWords)")
    }
    if lineUp.incoming != nil { try waitForIncoming() }
  }

  private func waitForIncoming() throws(Fault) {
    var status = ""
    let until = Moment.now + .seconds(60)
    while Moment.now < until {
      status = try qmp.ask("query-status")["status"]?.string ?? ""
      if status == "running" { return }
      if status != "inmigrate" {
        try qmp.ask("cont")
        return
      }
      _ = Waiting.poll(until: .now + .milliseconds(20)) { false }
    }
    throw Fault(.damaged, "V-150", "the saved state was not read (\(status)): \(lineUp.output.lastWords)")
  }

  /// Waits until the agent answers. Only for boards with the tools of tests.
  package func waitUntilUp(within limit: Duration) throws(Fault) {
    do throws(Fault) {
      try agent.waitUntilReady(until: .now + limit)
    } catch {
      throw Fault(
        error.kind, error.code,
        "the board did not come up within \(limit): \(error.message); its console says: \(lineUp.console.lastWords)")
    }
  }

  /// Pauses the guest and writes its memory to a file. `goOn` lets it run again.
  func save(to file: FilePath) throws(Fault) {
    try qmp.ask("stop")
    try qmp.ask("migrate", ["uri": JSON("exec:cat > '\(file)'")])
    let until = Moment.now + .seconds(60)
    while Moment.now < until {
      let answer = try qmp.ask("query-migrate")
      switch answer["status"]?.string {
      case "completed": return
      case "failed", "cancelled":
        throw Fault(.damaged, "V-151", "the state was not saved: \(answer["error-desc"]?.string ?? "no reason")")
      default: _ = Waiting.poll(until: .now + .milliseconds(50)) { false }
      }
    }
    throw Fault(.passing, "V-152", "the state was not saved within a minute")
  }

  func goOn() throws(Fault) { try qmp.ask("cont") }

  package var hasEnded: Bool { process.hasEnded }

  /// Cuts the power: the guest's memory is lost, and the disk has what was written to it.
  package func cut() { process.end() }

  package func screen() throws(Fault) -> Screen {
    let file = lineUp.folder / "screen.ppm"
    try qmp.ask("screendump", ["filename": JSON(path: file)])
    return try Screen(ppm: try AtomicFile.read(file, limit: 1 << 26))
  }
}
