import Hardware
import Panel
import Runtime
import Testing

@Suite("What a gesture means")
struct ControlsTests {
  private func meaning(
    _ gesture: Gesture, _ holder: Controls.Holder, _ set: (inout Controls) -> Void = { _ in }
  ) -> Controls.Meaning? {
    var controls = Controls(volumeStep: 2)
    set(&controls)
    return controls.meaning(of: gesture, elapsed: .seconds(30), holder)
  }

  @Test("a knob that is spun goes far in a long list, and nowhere else: not in a short one, a question or the volume")
  func spun() {
    let spun = Gesture.turn(3, far: 15)
    #expect(meaning(spun, .menu) { $0.listIsLong = true } == .menu(.turn(15)))
    #expect(meaning(.turn(-3, far: -15), .menu) { $0.listIsLong = true } == .menu(.turn(-15)))
    #expect(meaning(.turn(3), .menu) { $0.listIsLong = true } == .menu(.turn(3)))
    #expect(meaning(spun, .menu) == .menu(.turn(3)))
    #expect(meaning(spun, .question) { $0.listIsLong = true } == .choose(by: 3))
    #expect(meaning(spun, .music) { $0.listIsLong = true } == .command(.turn(by: 6)))
  }

  @Test("spun while it is pressed it skips by its detents")
  func spunPressed() {
    var gestures = Gestures()
    let bound = Bindings { $0.turned = [.knob] }
    let now = Moment(nanoseconds: 1_000_000_000)
    #expect(gestures.take(.press(.knob), at: now, bound) == [])
    #expect(gestures.take(.turn(3, far: 15), at: now, bound) == [.turnPressed(.knob, by: 3)])
    #expect(gestures.take(.release(.knob), at: now, bound) == [])
    #expect(gestures.take(.turn(3, far: 15), at: now, bound) == [.turn(3, far: 15)])
  }

  @Test("a list is long when it has more rows than a panel shows")
  func long() {
    func menu(_ count: Int, goesOn: Bool = false, goesBack: Bool = false) -> ShownMenu {
      ShownMenu {
        $0.content = .rows((0..<count).map { MenuRow("\($0)") }, focus: 0, goesOn: goesOn, goesBack: goesBack)
      }
    }
    #expect(!menu(0).isLong && !menu(24).isLong)
    #expect(menu(24, goesOn: true).isLong && menu(24, goesBack: true).isLong)
    #expect(!ShownMenu { $0.content = .words("nothing") }.isLong)
    #expect(!ShownMenu { $0.content = .wheel(LetterWheel()) }.isLong)
  }
}
