import Audio
import Glibc
import Hardware
import Library
import Panel
import Playback
import Runtime
import Supervisor

/// What the board has around the player: knob, buttons and keys, and those who watch that it lives.
extension House {
  /// Everything a person can turn, press or touch. What is missing is told and looked for again; the music does not mind.
  func keepInputs(_ storage: Storage, _ take: @escaping @MainLoop (Input, Moment) -> Void) async {
    let notices = notices
    let tell: @MainLoop (Fault) -> Void = { notices.post(Notice($0, instead: "the music goes on")) }
    if options.inTerminal { await supervisor.keep(TerminalKeys { take($0, MainLoop.loop.now) }, when: .done) }
    let doubled = GestureMap.doubled(in: settings)
    if !doubled.isEmpty {
      let list = doubled.map(\.description).joined(separator: ", ")
      notices.post(Notice("H-242", "[gestures] of board.conf gives \(list) to more than one; the first of them has it"))
    }
    let plan = await linePlan(storage)
    if !plan.isEmpty {
      let lines = LinesPart(plan: plan, boardsKnob: settings.knobForm, tell: tell, deliver: take)
      lines.knobHasChanged = { form in self.keep(form, storage) }
      self.lines = lines
      await supervisor.keep(lines, when: .restart)
    }
    guard settings[.eventKeys] else { return }
    let devices = EventDevices(
      map: await keyMap(storage), haste: settings[.knobHaste], rotation: settings[.touchRotation], tell: tell,
      deliver: take)
    devices.mapHasChanged = { map in
      let state = storage.path
      storage.loop.post {
        do throws(Fault) { try LearnedKeys.keep(map, in: state) } catch {
          MainLoop.start { notices.post(Notice(error, instead: "what keys were taught lasts until the next start")) }
        }
      }
    }
    inputDevices = devices
    await supervisor.keep(devices, when: .restart)
  }

  /// As the board's file has it, and as the knob was found to be.
  private func linePlan(_ storage: Storage) async -> LinePlan {
    var plan = LinePlan(settings)
    let (state, lines) = (storage.path, settings[.knobLines])
    guard lines != nil else { return plan }
    let (form, notice) = await storage.loop.perform { LearnedKnob.read(in: state, for: lines) }
    if let notice { notices.post(notice) }
    if let form, form != plan.knob {
      log.notice(
        "the knob is as it was found to be, and not as board.conf has it",
        [
          "found": "\(form)", "board": "\(plan.knob)",
        ])
      plan.knob = form
    }
    return plan
  }

  private func keep(_ form: KnobForm?, _ storage: Storage) {
    let (state, lines, notices) = (storage.path, settings[.knobLines], notices)
    storage.loop.post {
      do throws(Fault) { try LearnedKnob.keep(form, for: lines, in: state) } catch {
        MainLoop.start {
          notices.post(Notice(error, instead: "what was found out of the knob lasts until the next start"))
        }
      }
    }
  }

  private func keyMap(_ storage: Storage) async -> KeyMap {
    let doubled = KeyMap.doubled(in: settings)
    if !doubled.isEmpty {
      let list = doubled.map(\.description).joined(separator: ", ")
      notices.post(Notice("H-241", "[keys] of board.conf gives \(list) to more than one; the first of them has it"))
    }
    let state = storage.path
    let (learned, notice) = await storage.loop.perform { LearnedKeys.read(in: state) }
    if let notice { notices.post(notice) }
    return KeyMap(board: settings, learned: learned)
  }

  /// A board that was never given anything to play begins with what it was made with.
  func playTheFirstMusic(_ storage: Storage, _ transport: Transport) async {
    guard let folder = settings[.firstMusic], storage.saved.isFresh, transport.queue.isEmpty else { return }
    let found = await storage.loop.perform { () -> Result<[FilePath], Fault> in
      Result { () throws(Fault) in
        try MusicFiles.at(folder, most: PlayQueue.limit, withForeign: ForeignHelp.isInstalled)
      }
    }
    do throws(Fault) {
      let files = try found.get()
      guard !files.isEmpty else { return log.notice("no first music", ["folder": folder]) }
      // Somebody may have chosen music meanwhile.
      guard transport.queue.isEmpty else { return }
      playsAtOpening = isClosed
      let new = Replacement(files, from: Origin(.folder, "\(folder)"), plays: !isClosed && !outset.isSilent)
      try await saving { () throws(Fault) in try await transport.perform(.replace(new)) }
    } catch {
      notices.post(Notice(error, instead: "it waits for other music"))
    }
  }
}
