import Glibc
import Runtime
import TestSupport
import Testing

@testable import Canvas
@testable import Panel

/// What every screen says, without its pixels: each text in its room, in letters that a font has, as large and as
/// bright as the rule asks.
@Suite("Screens can be read")
struct LegibilityTests {
  /// A text on a screen, and the ground it stood on at its worst.
  struct Said {
    let screen: String
    let drawn: DrawnText
    let contrast: Double
  }

  @MainLoop
  static func said(_ one: SheetTests.Case) async throws(Fault) -> [Said] {
    let look: PanelLook
    do { look = try one.look() } catch { throw Fault(.missing, "T-1", "\(error)") }
    var all: [Said] = []
    for screen in await Sheet(size: one.size, look: look).screens() {
      let canvas = Canvas(size: one.size)
      canvas.heard = { drawn in
        all.append(Said(screen: screen.name, drawn: drawn, contrast: worst(drawn, on: canvas)))
      }
      screen.draw(canvas)
      // What hears it looks at the canvas, which would otherwise never be let go of.
      canvas.heard = nil
    }
    return all
  }

  /// The least contrast with what is below the letters, but for the twentieth part of it: the tips of others' letters.
  private static func worst(_ drawn: DrawnText, on canvas: Canvas) -> Double {
    let box = drawn.ink.intersection(drawn.clip)
    // Grounds are the same for long stretches: each colour is looked at once.
    var counts: [UInt32: Int] = [:]
    for y in box.rows {
      let row = canvas.pixels + y * canvas.size.width
      var start = box.x
      for x in box.columns where x + 1 == box.right || row[x + 1] != row[start] {
        counts[row[start], default: 0] += x + 1 - start
        start = x + 1
      }
    }
    var rest = box.area / 20
    for (contrast, count) in counts.map({ (contrast(drawn.colour, Pixel($0.key)), $0.value) }).sorted(by: <) {
      if rest < count { return contrast }
      rest -= count
    }
    return 21
  }

  static func contrast(_ one: Pixel, _ other: Pixel) -> Double {
    let (a, b) = (luminance(one), luminance(other))
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  /// Relative luminance of sRGB.
  private static func luminance(_ pixel: Pixel) -> Double {
    func light(_ step: UInt8) -> Double {
      let part = Double(step) / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * light(pixel.red) + 0.7152 * light(pixel.green) + 0.0722 * light(pixel.blue)
  }

  /// Without Arabic on 128x64: four rows of 16 pixels leave no room for the marks above and below its letters, and the
  /// first and the last row lose a pixel or two of them.
  static let all: [SheetTests.Case] =
    SheetTests.all.filter { $0.language != .arabic || $0.size.width > 128 }
    + Theme.all.flatMap { theme in
      PanelProfile.allCases.flatMap { profile in
        [(240, 240), (320, 240), (480, 320), (800, 480), (240, 320)].map { width, height in
          SheetTests.Case(.german, width, height) { ($0.theme, $0.profile) = (theme, profile) }
        }
      }
    }

  @Test(
    "no text is cut off at its edges, off the panel, or in letters that no font has",
    arguments: CommitSample.third(of: all))
  func boxes(one: SheetTests.Case) async throws {
    let said = try await aloneOnMainLoop { () async -> Result<[Said], Fault> in
      do throws(Fault) { return .success(try await Self.said(one)) } catch { return .failure(error) }
    }.get()
    #expect(said.count > 50)
    let panel = Rect(x: 0, y: 0, width: one.size.width, height: one.size.height)
    var wrong: Set<String> = []
    for text in said where !text.drawn.text.isEmpty {
      let (box, drawn) = (text.drawn.rect, text.drawn)
      if !panel.contains(box) { wrong.insert("\(text.screen): \(drawn.text) at \(box)") }
      if drawn.lacksLetters { wrong.insert("\(text.screen): \(drawn.text) lacks letters") }
      // Below the smallest letters a panel has no room for all that hangs below a line.
      let isTiny = drawn.size <= ScreenScale.smallestType
      if !isTiny, drawn.ink.y < drawn.clip.y || drawn.ink.bottom > drawn.clip.bottom {
        wrong.insert("\(text.screen): \(drawn.text) of \(drawn.size) is \(drawn.ink) in \(box)")
      }
      // Some letters begin a little before where they stand.
      let bearing = 1 + drawn.size / 8
      if drawn.isWhole, drawn.ink.x < box.x - bearing || drawn.ink.right > box.right + bearing {
        wrong.insert("\(text.screen): \(drawn.text) is \(drawn.ink) beside \(box)")
      }
    }
    #expect(wrong.isEmpty, "\(wrong.sorted().joined(separator: "\n"))")
  }

  @Test("letters stand out from what is below them", arguments: CommitSample.third(of: all))
  func contrast(one: SheetTests.Case) async throws {
    let said = try await aloneOnMainLoop { () async -> Result<[Said], Fault> in
      do throws(Fault) { return .success(try await Self.said(one)) } catch { return .failure(error) }
    }.get()
    let least = one.profile == .car ? CarRule.contrast : 4.5
    let weak = Set(
      said.filter { $0.contrast < least && !$0.drawn.text.isEmpty }.map {
        "\($0.screen): \($0.drawn.text) has \($0.contrast)"
      })
    #expect(weak.isEmpty, "\(weak.sorted().joined(separator: "\n"))")
  }

  /// Every class in every language, and the narrowest for fingers and in a car. On 128x64 a row that is too long goes by.
  static let everywhere: [SheetTests.Case] = PanelLanguage.allCases.flatMap { language in
    ScreenClass.allCases.filter { $0 != .tiny }.flatMap { screen in
      let (width, height) = (screen.size.width, screen.size.height)
      let plain = SheetTests.Case(language, width, height)
      guard screen == .tall else { return [plain] }
      return [
        plain, SheetTests.Case(language, width, height) { $0.isTouched = true },
        SheetTests.Case(language, width, height) { $0.profile = .car },
      ]
    }
  }

  /// They show names, and have tests of their own.
  private static let music: Set<String> = ["playing", "volume", "notice", "standing"]
  private static func isMusic(_ screen: String) -> Bool { music.contains(screen) || screen.hasPrefix("cover") }

  @Test("no word of ours in a list or a question is cut short", arguments: CommitSample.third(of: everywhere))
  func whole(one: SheetTests.Case) async throws {
    let said = try await aloneOnMainLoop { () async -> Result<([Said], Set<String>), Fault> in
      do throws(Fault) { return .success((try await Self.said(one), SheetWorld.names)) } catch {
        return .failure(error)
      }
    }.get()
    let cut = Set(
      said.0.filter { !$0.drawn.isWhole && !Self.isMusic($0.screen) }.filter { text in
        !said.1.contains { text.drawn.text.contains($0) }
      }.map { "\($0.screen): \($0.drawn.text)" })
    #expect(cut.isEmpty, "\(cut.sorted().joined(separator: "\n"))")
  }

  /// Panels of any height, so that the room ends anywhere in a row.
  @Test("a row at the end of the room says all that it says, or is not there", arguments: [(320, 240), (480, 320)])
  func ends(width: Int, height: Int) async throws {
    let wrong = try await aloneOnMainLoop { () async -> Result<Set<String>, any Error> in
      do { return .success(try Self.rowsWithHalf(width: width, heights: height..<height + 70)) } catch {
        return .failure(error)
      }
    }.get()
    #expect(wrong.min() == nil)
  }

  @MainLoop
  private static func rowsWithHalf(width: Int, heights: Range<Int>) throws -> Set<String> {
    let rows = (0..<16).map { index in MenuRow("Song \(index)") { $0.detail = "Artist \(index)" } }
    let screen = MenuScreen(PanelLook(type: try SheetTests.type()))
    var wrong: Set<String> = []
    for height in heights {
      for focus in rows.indices {
        let canvas = Canvas(size: Size(width: width, height: height))
        var said: Set<String> = []
        canvas.heard = { said.insert($0.text) }
        screen.draw(
          ShownMenu { $0.content = .rows(rows, focus: focus, goesOn: false, goesBack: false) }, on: canvas)
        canvas.heard = nil
        for row in rows where said.contains(row.title) != said.contains(row.detail) {
          wrong.insert("\(row.title) is without \(row.detail) at \(focus) of \(width)x\(height)")
        }
      }
    }
    return wrong
  }

  /// Panels as they are sold for dashboards: pixels, and how high they are in millimetres.
  struct Dashboard: Sendable {
    let size: Size
    let height: Double
  }

  static let dashboards: [Dashboard] = [
    Dashboard(size: Size(width: 320, height: 240), height: CarRule.panelHeight),
    Dashboard(size: Size(width: 480, height: 320), height: 49),
    Dashboard(size: Size(width: 800, height: 480), height: 65),
    Dashboard(size: Size(width: 800, height: 480), height: 86),
  ]

  @Test("in a car everything is as large as the rule asks, and what is looked at first larger", arguments: dashboards)
  func size(panel: Dashboard) async throws {
    for isTouched in [false, true] {
      let one = SheetTests.Case(.english, panel.size.width, panel.size.height) {
        ($0.profile, $0.isTouched) = (.car, isTouched)
      }
      let said = try await aloneOnMainLoop { () async -> Result<[Said], Fault> in
        do throws(Fault) { return .success(try await Self.said(one)) } catch { return .failure(error) }
      }.get()
      func minutes(_ drawn: DrawnText) -> Double {
        let capital = Double(drawn.size) * 0.729 * panel.height / Double(panel.size.height)
        return atan(capital / CarRule.distance) * 180 / .pi * 60
      }
      let small = Set(
        said.filter { minutes($0.drawn) < CarRule.leastMinutes && !$0.drawn.text.isEmpty }.map {
          "\($0.screen): \($0.drawn.text) of \($0.drawn.size)"
        })
      #expect(small.isEmpty, "\(small.sorted().joined(separator: "\n"))")
      let first = ["So What", "Miles Davis", "Artists", "Play from here", "60 min", "Cancel"]
      for name in first {
        let best = said.filter { $0.drawn.text == name }.map { minutes($0.drawn) }.max() ?? 0
        #expect(best >= CarRule.goodMinutes, "\(name): \(best)")
      }
    }
  }
}
