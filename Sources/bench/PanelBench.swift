import Canvas
import Glibc
import Panel
import Runtime

/// What a picture costs the deck: processor time from a value to the parts of the frame that have to be written. How long
/// a panel's own wires take is another figure. No peer has a panel.
struct PanelBench {
  static let name = "panel"
  static let about = "processor time of a full frame, a changed second and a step in a list"

  let rounds: Int

  private static let turns = 50

  /// Another picture each time, drawn by its number.
  private struct Case {
    let name: String
    let size: Size
    let goal: Double
    /// Nothing of the frame before is of use.
    var isWhole = false
    let draw: (Int, Canvas) -> Void
  }

  func run() throws(Fault) -> [Row] {
    let type = try PanelType()
    let cases = Self.cases(NowPlayingScreen(PanelLook(type: type)), MenuScreen(PanelLook(type: type)))
    let contenders = cases.map { one -> Contender in
      let canvas = Canvas(size: one.size)
      var number = 0
      return Contender(name: one.name) { () throws(Fault) in
        let began = Self.processorTime
        for _ in 0..<Self.turns {
          number += 1
          if one.isWhole { canvas.forgetShown() }
          one.draw(number, canvas)
          canvas.markShown(canvas.changes())
        }
        return Double(Self.processorTime - began) / 1_000_000 / Double(Self.turns)
      }
    }
    let spreads = try Rounds.run(contenders, rounds: rounds, unit: .milliseconds)
    return zip(cases, spreads).compactMap { one, spread in
      spread.map { Row(bench: Self.name, name: one.name, value: $0, unit: .milliseconds, goal: .below(one.goal)) }
    }
  }

  private static func cases(_ music: NowPlayingScreen, _ menu: MenuScreen) -> [Case] {
    let small = Size(width: 320, height: 240)
    func playing(_ second: Int) -> NowPlaying {
      NowPlaying {
        ($0.title, $0.artist, $0.album) = ("So What", "Miles Davis", "Kind of Blue")
        ($0.position, $0.duration, $0.volume) = (.seconds(second % 500), .seconds(562), 42)
        ($0.state, $0.index, $0.count, $0.upNext) = (.playing, 2, 12, "Freddie Freeloader")
      }
    }
    let rows = (0..<200).map { number in
      MenuRow("A song with a name of its own, number \(number)") { $0.detail = "Somebody \(number % 17)" }
    }
    func list(_ step: Int) -> ShownMenu {
      let first = step % 150
      return ShownMenu {
        $0.title = "Songs"
        $0.content = .rows(Array(rows[first..<first + 24]), focus: 12, goesOn: true, goesBack: true)
      }
    }
    return [
      Case(name: "full frame, 320x240", size: small, goal: 4, isWhole: true) { music.draw(playing($0), on: $1) },
      Case(name: "another second, 320x240", size: small, goal: 0.3) { music.draw(playing($0), on: $1) },
      Case(name: "a step in a list, 320x240", size: small, goal: 4) { menu.draw(list($0), on: $1) },
      Case(name: "a step in a list, 800x480", size: Size(width: 800, height: 480), goal: 4) {
        menu.draw(list($0), on: $1)
      },
    ]
  }

  private static var processorTime: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
