import Audio
import Glibc
import Library
import Playback
import Runtime

/// What plays when the program starts: what the command line names, or what a new board was made with.
@MainLoop
struct StartingMusic {
  let context: ProgramContext
  let storage: Storage
  let transport: Transport
  let kiosk: KioskAssembly

  func begin() async throws(Fault) {
    if context.options.play.isEmpty { await playFirstMusic() } else { await playNamedMusic() }
    if context.options.once { endWithTheMusic() }
  }

  /// `--play` replaces the queue, unless the same music was playing at the last stop.
  private func playNamedMusic() async {
    let named = context.options.play
    let isTheSame = transport.queue.entries.map(\.path) == named
    await transport.performAndLog(isTheSame ? .play : .replace(Replacement(named, from: Origin(named: named))))
  }

  /// A board that has never been given anything to play begins with the music that it was made with.
  private func playFirstMusic() async {
    guard let folder = context.settings[.firstMusic], storage.saved.isFresh, transport.queue.isEmpty else { return }
    let found = await storage.loop.perform { () -> Result<[FilePath], Fault> in
      Result { () throws(Fault) in
        try MusicFiles.at(folder, most: PlayQueue.limit, withForeign: ForeignHelp.isInstalled)
      }
    }
    do throws(Fault) {
      let files = try found.get()
      guard !files.isEmpty else { return Log("layby").notice("no first music", ["folder": folder]) }
      // Somebody may have chosen music meanwhile.
      guard transport.queue.isEmpty else { return }
      let isClosed = kiosk.kiosk.isClosed
      kiosk.closingTime.playsAtOpening = isClosed
      let plays = !isClosed && !context.outset.isSilent
      await transport.performAndLog(.replace(Replacement(files, from: Origin(.folder, "\(folder)"), plays: plays)))
    } catch {
      context.notices.post(Notice(error, instead: "it waits for other music"))
    }
  }

  /// `--once`: the program ends when nothing plays any more, for whatever reason.
  private func endWithTheMusic() {
    let events = Mailbox<PlayerEvent>()
    transport.follow(events)
    MainLoop.start { [transport, supervisor = context.supervisor] in
      while transport.status.wish != .stopped, await events.receive() != nil {}
      supervisor.wantStop(because: "nothing plays any more")
    }
  }
}
