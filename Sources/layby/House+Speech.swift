import Audio
import Panel
import Playback
import Runtime

/// What is read aloud and what ticks, wired: the panel's scenes, hands and notices in, sounds over the music out.
extension House {
  /// Before the panel begins: it tells what it shows from the first picture on.
  func keepSpeech(_ sound: SoundPath, _ panel: PanelPart?, _ transport: Transport) {
    followWish(transport)
    let program = SpeechProgram()
    let notices = notices
    let desk = SpeechDesk(
      .init(
        rate: { sound.asideRate }, play: { sound.say($0) }, hush: { sound.hush(.words) },
        read: { await program.read($0, $1, $2, $3) }),
      softness: GiveWay.softly, tell: { notices.post(Notice($0, instead: "nothing is read aloud")) })
    speech = desk
    // What is posted while something is said waits there; and a notice of the reader's own would only fail again.
    notices.listen { [weak desk] posted in
      guard self.isListenedTo || posted.notice.isUrgent else { return }
      desk?.notice(PanelWords.of(self.settings[.language]).said(posted.notice))
    }
    followSpeech()
    chosen.follow { _ in self.followSpeech() }
  }

  /// Where the music was put to rest somebody may sleep, and in a car that is parked nobody is. That it has just ended by
  /// itself is told before the end is: who listened hears why.
  private var isListenedTo: Bool {
    if let touchedAt, MainLoop.loop.now - touchedAt < .seconds(60) { return true }
    return wishTold == .playing
  }

  /// What was wanted of the music, as it was last told.
  private func followWish(_ transport: Transport) {
    wishTold = transport.status.wish
    let events = Mailbox<PlayerEvent>()
    transport.follow(events)
    MainLoop.start { while let event = await events.receive() { self.wishTold = event.status.wish } }
  }

  /// As the settings have it. A panel that nobody listens to tells nothing.
  func followSpeech() {
    guard let speech else { return }
    let speaks = settings[.speech]
    speech.take(
      SpeechDesk.Options {
        $0.speaks = speaks
        $0.cues = settings[.cues]
        $0.manner = .init(
          voice: settings[.speechVoice] ?? settings[.language].rawValue, wordsAMinute: settings[.speechRate])
      })
    guard let panel else { return }
    if !speaks { panel.told = nil } else if panel.told == nil { panel.told = { [weak speech] in speech?.see($0) } }
  }
}
