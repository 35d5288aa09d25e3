import Runtime
import Synchronization

/// The thread `mixer`, only there with a card that may have a volume control: what it writes can wait for a bus, and
/// nobody else shall. It takes the gain that the one clamp allows, gives the card its part and the feeder the rest.
///
/// A device that was lost may be another when it is back, at any loudness: until this thread has answered for it, the
/// feeder lets nothing be heard. Where there is no control, all of the gain is the feeder's.
final class MixerThread: @unchecked Sendable {  // `control`, `scale`, `step`: the thread's own; the rest is atomic
  private let control: any LoudnessControl
  private let controls: SoundControls
  private let wakeOutput: @Sendable () -> Void
  let bell: Bell
  private let log = Log("mixer")
  /// As `Gain` counts; below 0 before anybody has wanted anything, and until then nothing is touched.
  private let wanted = Atomic<Int64>(-1)
  private var scale: MixerScale?
  private var step: Int?
  /// The loss after which the control was opened.
  private var openedFor: Int64 = -1
  private var complained = ""

  init(_ control: any LoudnessControl, controls: SoundControls, wakeOutput: @escaping @Sendable () -> Void)
    throws(Fault)
  {
    self.control = control
    self.controls = controls
    self.wakeOutput = wakeOutput
    bell = try Bell()
    controls.mixedFor.store(-1, ordering: .releasing)
  }

  /// From any thread.
  func want(_ gain: Int64) {
    wanted.store(gain, ordering: .releasing)
    bell.ring()
  }

  func start() throws(Fault) {
    try NamedThread.start("mixer") { [self] in
      while !controls.shutdown.load(ordering: .acquiring) {
        turn()
        bell.wait()
      }
      control.close()
    }
  }

  /// Everything that is to be done now.
  func turn() {
    let gain = wanted.load(ordering: .acquiring)
    let loss = controls.losses.load(ordering: .acquiring)
    guard gain >= 0 else { return }
    var rest = gain
    do throws(Fault) {
      if openedFor != loss {
        openedFor = loss
        step = nil
        scale = nil
        scale = try control.open()
      }
      if let setting = scale?.setting(for: Double(gain) / Double(Gain.unity)) {
        // Whichever of the two is first, their product is never above what was wanted before or is wanted now.
        if setting.step != step { try control.set(step: setting.step) }
        step = setting.step
        rest = Int64(setting.rest * Double(Gain.unity))  // downwards
      }
    } catch {
      scale = nil
      step = nil
      control.close()
      if error.message != complained { log.info("the volume is made in software", ["because": error.message]) }
      complained = error.message
    }
    controls.gain.store(rest, ordering: .releasing)
    controls.mixedFor.store(loss, ordering: .releasing)
    wakeOutput()
  }
}
