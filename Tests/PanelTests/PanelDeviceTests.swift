import Glibc
import Playback
import Runtime
import TestSupport
import Testing

@testable import Canvas
@testable import Panel

@Suite("A panel of its own")
struct PanelDeviceTests {
  private let size = Size(width: 320, height: 240)

  /// What stands on a panel that shows just this.
  @MainLoop private func picture(
    _ desk: Desk, _ size: Size, in theme: Theme = .night, _ change: (inout NowPlaying) -> Void = { _ in }
  ) throws -> [UInt32] {
    var now = NowPlaying(desk.transport.status, notice: nil)
    now.take(PanelState.all(of: PanelFacts { $0.isEmpty = desk.transport.status.count == 0 }, by: .all, .english))
    change(&now)
    let canvas = Canvas(size: size)
    NowPlayingScreen(PanelLook(type: try PanelType(), theme: theme)).draw(now, on: canvas)
    return UnsafeBufferPointer(start: canvas.pixels, count: size.width * size.height).map { $0 & 0xFF_FFFF }
  }

  private func expected(
    _ desk: Desk, _ size: Size, _ change: @escaping @Sendable (inout NowPlaying) -> Void = { _ in }
  ) async throws -> [UInt32] {
    try #require(await onMainLoop { try? self.picture(desk, size, change) })
  }

  private func expect(
    _ panel: FilePanel, of desk: Desk, shows size: Size, at place: SourceLocation = #_sourceLocation,
    _ change: @escaping @Sendable (inout NowPlaying) -> Void = { _ in }
  ) async throws {
    let wanted = try await expected(desk, size, change)
    let shown = try panel.pixels(size)
    #expect(shown == wanted, sourceLocation: place)
  }

  @Test("on an OLED it is drawn in ink, whatever colours are chosen")
  func ink() async throws {
    let small = Size(width: 128, height: 64)
    for (driver, isInk) in [("ssd130xdrmfb", true), ("virtiodrmfb", false)] {
      let panel = try FilePanel(FilePanel.claim(128, 64, driver: driver))
      try await TestMainLoop.alone {
        let desk = try #require(
          await onMainLoop { try? Desk(showingOn: nil, and: PanelDevice { () throws(Fault) in try panel.open() }) })
        await onMainLoop { try? await desk.panel.prepare() }
        for theme in [Theme.night, .day] {
          await onMainLoop { if desk.panel.look.theme != theme { desk.panel.look.theme = theme } }
          let wanted = await onMainLoop { try? self.picture(desk, small, in: isInk ? .ink : theme) }
          #expect(try panel.pixels(small) == wanted, "\(driver), \(theme.name)")
        }
      }
    }
  }

  @Test("the first picture stands when the panel is prepared, before anything runs, and says that it is starting")
  func first() async throws {
    let panel = try FilePanel(FilePanel.claim(320, 240))
    try await TestMainLoop.alone {
      let desk = try #require(
        await onMainLoop {
          try? Desk(showingOn: nil, and: PanelDevice { () throws(Fault) in try panel.open() }, isReady: false)
        })
      await onMainLoop { try? await desk.panel.prepare() }
      try await expect(panel, of: desk, shows: size) { $0.state = .starting }
      await onMainLoop { desk.panel.becomeReady() }
      try await expect(panel, of: desk, shows: size) { $0.state = .stopped }
    }
  }

  @Test("until it is ready it does not claim to play; what is paused is paused")
  func ready() async throws {
    let panel = try FilePanel(FilePanel.claim(320, 240))
    try await onDesk(nil, and: panel, isReady: false) { desk in
      await onMainLoop { await desk.perform(.play) }
      await settle()
      try await expect(panel, of: desk, shows: size) { $0.state = .starting }
      await onMainLoop { await desk.perform(.pause) }
      // No more frames than an eye sees.
      await MainLoop.loop.advance(by: .milliseconds(40))
      await settle()
      try await expect(panel, of: desk, shows: size) { $0.state = .paused }
      await onMainLoop { await desk.perform(.play) }
      await onMainLoop { desk.panel.becomeReady() }
      try await expect(panel, of: desk, shows: size) { $0.state = .playing }
    }
  }

  @Test("it goes on with the music, has the size it says it has, and is dark in the end")
  func atWork() async throws {
    let wide = Size(width: 800, height: 480)
    let panel = try FilePanel(FilePanel.claim(800, 480))
    try await onDesk(nil, and: panel) { desk in
      await onMainLoop { await desk.perform(.play) }
      await MainLoop.loop.advance(by: .milliseconds(65_500))
      await settle()
      #expect(await onMainLoop { desk.transport.status.place.elapsed } == .milliseconds(65_500))
      try await expect(panel, of: desk, shows: wide)
    }
    let last = try panel.pixels(wide)
    #expect(last.allSatisfy { $0 == 0 })
  }

  @Test("terminal and panel show the same, and go on without each other")
  func both() async throws {
    signal(SIGPIPE, SIG_IGN)
    let panel = try FilePanel(FilePanel.claim(320, 240))
    let terminal = try PipeScreen()
    try await onDesk(terminal, and: panel) { desk in
      await onMainLoop { await desk.perform(.play) }
      await MainLoop.loop.advance(by: .milliseconds(3_500))
      await settle()
      #expect(String(decoding: terminal.take(), as: UTF8.self).contains("▶ 0:03"))
      try await expect(panel, of: desk, shows: size)
      #expect(await onMainLoop { desk.panel.display } == .works)
      try panel.becomes(.failure(FilePanel.gone))
      await MainLoop.loop.advance(by: .seconds(2))
      await settle()
      #expect(await onMainLoop { desk.panel.display } == .fails(FilePanel.gone))
      #expect(String(decoding: terminal.take(), as: UTF8.self).contains("0:05"))
      try panel.becomes(FilePanel.claim(320, 240))
      terminal.hangUp()
      await MainLoop.loop.advance(by: .seconds(60))
      await settle()
      try await expect(panel, of: desk, shows: size)
    }
  }

  @Test("a panel that is pulled is told of once, and one of another size that comes back gets a whole picture")
  func pulled() async throws {
    let panel = try FilePanel(FilePanel.claim(320, 240))
    try await onDesk(nil, and: panel) { desk in
      await onMainLoop { await desk.perform(.play) }
      try panel.becomes(.failure(FilePanel.gone))
      await MainLoop.loop.advance(by: .milliseconds(300_500))
      await settle()
      #expect(await onMainLoop { desk.notices.posted.map(\.notice.code) } == ["K-131"])
      try panel.becomes(FilePanel.claim(480, 320))
      await MainLoop.loop.advance(by: .seconds(60))
      await settle()
      let other = Size(width: 480, height: 320)
      try await expect(panel, of: desk, shows: other)
    }
  }

  @Test("one that is not there is looked for ever more seldom, and costs nothing else")
  func missing() async throws {
    let panel = try FilePanel(.failure(FilePanel.gone))
    try await onDesk(nil, and: panel) { desk in
      #expect(panel.looked == 1)
      await MainLoop.loop.advance(by: .seconds(10))
      await settle()
      #expect((3...5).contains(panel.looked))
      await onMainLoop { await desk.perform(.play) }
      await settle()
      let asked = await onMainLoop { desk.sound.asked }
      await MainLoop.loop.advance(by: .seconds(3_600))
      await settle()
      #expect((55...70).contains(panel.looked))
      #expect(await onMainLoop { desk.sound.asked } == asked)
      #expect(await onMainLoop { desk.notices.posted.count } == 1)
    }
  }

  @Test("one that cannot be used as it is is told of once and left alone")
  func unsupported() async throws {
    let panel = try FilePanel(.failure(Fault(.unsupported, "K-132", "it has 16 bits a pixel, and 32 are expected")))
    try await onDesk(nil, and: panel) { desk in
      await MainLoop.loop.advance(by: .seconds(86_400))
      await settle()
      #expect(panel.looked == 1)
      let told = await onMainLoop { desk.notices.posted.map(\.notice.message) }
      #expect(told.count == 1 && told[0].contains("16 bits"))
    }
  }

  @Test("a standing notice stays, gives way to a newer one that passes, comes back, and goes when it is withdrawn")
  func standing() async throws {
    let panel = try FilePanel(FilePanel.claim(320, 240))
    let safe = Notice("X-170", "Safe mode. Your settings are left aside.")
    try await onDesk(nil, and: panel) { desk in
      func expectNotice(_ message: String?, stands: Bool, at place: SourceLocation = #_sourceLocation) async throws {
        await settle()
        try await expect(panel, of: desk, shows: size, at: place) {
          $0.notice = message
          $0.noticeStands = stands
        }
      }
      // Paused where something was heard: then each look at the player can be counted.
      await onMainLoop {
        await desk.perform(.play)
        await desk.perform(.pause)
        desk.notices.stand(safe)
      }
      await MainLoop.loop.advance(by: .seconds(5))
      try await expectNotice(safe.message, stands: true)
      let asked = await onMainLoop { desk.sound.asked }
      await MainLoop.loop.advance(by: .seconds(60))
      #expect(await onMainLoop { desk.sound.asked } == asked, "it wakes nobody")
      try await expectNotice(safe.message, stands: true)
      await onMainLoop { desk.notices.post(Notice("T-1", "Seven geese")) }
      try await expectNotice("Seven geese", stands: false)
      await MainLoop.loop.advance(by: Notice.shortestReading)
      try await expectNotice(safe.message, stands: true)
      await onMainLoop { desk.notices.withdraw("T-1") }
      try await expectNotice(safe.message, stands: true)
      await onMainLoop { desk.notices.withdraw(safe.code) }
      try await expectNotice(nil, stands: false)
    }
  }
}
