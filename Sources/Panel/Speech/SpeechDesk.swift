import Audio
import Runtime

/// The announcer at work: has said what is to be said, one after the other, and makes the ticks. All of it is there for
/// a hand that does not look; the music goes on beneath it, and nothing waits for it.
@MainLoop
package final class SpeechDesk {
  /// As the owner wants it.
  package struct Options: Equatable, Sendable {
    package var speaks = false
    package var cues = false
    package var manner = SpeechProgram.Manner(voice: PanelLanguage.english.rawValue, wordsAMinute: 175)

    package init(_ set: (inout Options) -> Void = { _ in }) { set(&self) }
  }

  /// What it needs of the sound and of a voice, so that it can be tried without either.
  package struct Means {
    package typealias Read =
      @MainLoop (SpokenText, SpeechProgram.Manner, Int32, SpeechProgram.Interruption) async -> Result<[Int16]?, Fault>

    package let rate: @MainLoop () -> Int32
    package let play: @MainLoop (SoundOverlay) -> Void
    package let hush: @MainLoop () -> Void
    package let read: Read

    package init(
      rate: @escaping @MainLoop () -> Int32, play: @escaping @MainLoop (SoundOverlay) -> Void,
      hush: @escaping @MainLoop () -> Void,
      read: @escaping Read
    ) {
      (self.rate, self.play, self.hush, self.read) = (rate, play, hush, read)
    }
  }

  private var announcer = Announcer()
  private let means: Means
  private let softness: Double
  private let tell: @MainLoop (Fault) -> Void
  private(set) package var options = Options()
  private var timer: Task<Void, Never>?
  /// What is said, or made to be said; and what is to be made next.
  private var number = 0
  private var wanted: SpokenText?
  private var isWorking = false
  private var interruption: SpeechProgram.Interruption?
  private var ending: Task<Void, Never>?
  private var toldCodes: Set<String> = []
  private var failures = 0
  /// A failure of its own is being told, and is not for it to read.
  private var isTelling = false
  private var lastCue: Moment?

  /// So often in a row, and it is not tried again.
  nonisolated static let mostFailures = 3
  /// Faster than a hand hears them apart they are not made.
  nonisolated static let cuesApart: Duration = .milliseconds(30)
  /// Until what was given to the device is heard.
  nonisolated static let latency: Duration = .milliseconds(150)

  /// `softness` is what the music gives way to: a factor of its loudness.
  package init(_ means: Means, softness: Double, tell: @escaping @MainLoop (Fault) -> Void) {
    (self.means, self.softness, self.tell) = (means, softness, tell)
  }

  /// From now on so. What could not be done may be possible by now.
  package func take(_ options: Options) {
    guard options != self.options else { return }
    (toldCodes, failures) = ([], 0)
    self.options = options
    if !options.speaks {
      breakOff()
      timer?.cancel()
      announcer = Announcer()
    }
  }

  private var speaks: Bool { options.speaks && failures < Self.mostFailures }

  package func touch() { announcer.touch(at: MainLoop.loop.now) }

  package func see(_ scene: Scene) {
    guard speaks else { return }
    act(announcer.see(scene, at: MainLoop.loop.now))
  }

  package func notice(_ message: String) {
    guard speaks, !isTelling else { return }
    act(announcer.notice(message))
  }

  package func cue(_ sound: CueSound) {
    guard options.cues else { return }
    let now = MainLoop.loop.now
    if let lastCue, now - lastCue < Self.cuesApart { return }
    lastCue = now
    means.play(sound.aside(rate: means.rate()))
  }

  // MARK: Doing

  private func act(_ actions: [Announcer.Action]) {
    for action in actions {
      switch action {
      case .hush: breakOff()
      case .say(let text, let number): say(text, number)
      }
    }
    wait()
  }

  private func wait() {
    timer?.cancel()
    guard let due = announcer.due else { return }
    timer = MainLoop.start { [weak self] in
      guard await MainLoop.loop.sleep(until: due), let self, !Task.isCancelled else { return }
      self.act(self.announcer.settle(by: MainLoop.loop.now))
    }
  }

  private func breakOff() {
    (number, wanted) = (0, nil)
    ending?.cancel()
    interruption?.ring()
    means.hush()
  }

  private func say(_ text: SpokenText, _ number: Int) {
    self.number = number
    wanted = text
    guard !isWorking else { return }
    isWorking = true
    MainLoop.start { [weak self] in
      // One program at a time; one that was told to give up is gone at once.
      while let self, let text = self.wanted {
        self.wanted = nil
        await self.make(text, self.number)
      }
      self?.isWorking = false
    }
  }

  private func make(_ text: SpokenText, _ number: Int) async {
    let rate = means.rate()
    let result = await read(text, at: rate)
    interruption = nil
    guard self.number == number else { return }
    switch result {
    case .failure(let fault):
      fail(fault)
      act(announcer.ended(number))
    case .success(nil): act(announcer.ended(number))
    case .success(let samples?):
      failures = 0
      let aside = SoundOverlay(samples, rate: rate, lane: .words, softness: softness)
      means.play(aside)
      ending = MainLoop.start { [weak self] in
        guard await MainLoop.loop.sleep(for: aside.duration + Self.latency), let self, self.number == number else {
          return
        }
        self.act(self.announcer.ended(number))
      }
    }
  }

  private func read(_ text: SpokenText, at rate: Int32) async -> Result<[Int16]?, Fault> {
    let interruption: SpeechProgram.Interruption
    do throws(Fault) { interruption = try SpeechProgram.Interruption() } catch { return .failure(error) }
    self.interruption = interruption
    return await means.read(text, options.manner, rate, interruption)
  }

  private func fail(_ fault: Fault) {
    failures = fault.kind == .missing ? Self.mostFailures : failures + 1
    guard toldCodes.insert(fault.code).inserted else { return }
    isTelling = true
    tell(fault)
    isTelling = false
  }
}

extension SpeechProgram {
  /// Waited for on a thread that lives no longer than the words are made.
  @MainLoop
  package func read(
    _ text: SpokenText, _ manner: Manner, _ rate: Int32, _ interruption: Interruption
  ) async -> Result<[Int16]?, Fault> {
    await withCheckedContinuation { continuation in
      do throws(Fault) {
        try NamedThread.start("speech", priority: .low) {
          do throws(Fault) {
            continuation.resume(returning: .success(try say(text, manner, rate: rate, until: interruption)))
          } catch { continuation.resume(returning: .failure(error)) }
        }
      } catch { continuation.resume(returning: .failure(error)) }
    }
  }
}
