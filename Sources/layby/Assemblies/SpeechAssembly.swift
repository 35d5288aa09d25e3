import Audio
import Panel
import Playback
import Runtime

/// What is read aloud, and the ticks of the knob: it takes the panel's scenes, hands and notices, and plays sounds over
/// the music. It lives on the main loop and keeps nothing on the disk.
@MainLoop
final class SpeechAssembly {
  let desk: SpeechDesk
  private let context: ProgramContext
  private let panel: PanelPart?
  /// Whether music was wanted at the last event of the player.
  private var wish: Player.PlaybackState
  /// When somebody last used the knob, a key or the touch screen. Remote commands do not count.
  private var touchedAt: Moment?

  /// To be made before the panel begins, which speaks from its first picture on.
  init(_ context: ProgramContext, _ sound: SoundAssembly, _ panel: PanelPart?) {
    (self.context, self.panel) = (context, panel)
    let (path, notices, program) = (sound.path, context.notices, SpeechProgram())
    desk = SpeechDesk(
      .init(
        rate: { path.asideRate }, play: { path.say($0) }, hush: { path.hush(.words) },
        read: { await program.read($0, $1, $2, $3) }),
      softness: GiveWay.softly, tell: { notices.post(Notice($0, instead: "nothing is read aloud")) })
    wish = sound.transport.status.wish
    let events = Mailbox<PlayerEvent>()
    sound.transport.follow(events)
    MainLoop.start { while let event = await events.receive() { self.wish = event.status.wish } }
    // A notice that is posted while something is said waits there. One of the reader's own would only fail again.
    notices.listen { [weak self] posted in
      guard let self, posted.isHeard, self.isListenedTo || posted.notice.isUrgent else { return }
      self.desk.notice(PanelWords.of(context.settings[.language]).said(posted.notice))
    }
    follow()
    context.chosen.follow { _ in self.follow() }
  }

  func touched() { touchedAt = MainLoop.loop.now }

  /// Notices are read only while music plays, or somebody touched the device within a minute: else somebody may be asleep,
  /// or nobody is in the car. `wish` is the one before the present event, so that the reason why music ended is read.
  private var isListenedTo: Bool {
    if let touchedAt, MainLoop.loop.now - touchedAt < .seconds(60) { return true }
    return wish == .playing
  }

  /// Applies the settings. A panel that is not read aloud reports no scenes.
  private func follow() {
    let settings = context.settings
    let speaks = settings[.speech]
    desk.take(
      SpeechDesk.Options {
        $0.speaks = speaks
        $0.cues = settings[.cues]
        $0.manner = .init(
          voice: settings[.speechVoice] ?? settings[.language].rawValue, wordsAMinute: settings[.speechRate])
      })
    guard let panel else { return }
    if !speaks { panel.told = nil } else if panel.told == nil { panel.told = { [weak desk] in desk?.see($0) } }
  }
}
