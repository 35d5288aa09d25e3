import Application
import Canvas
import Formats
import Glibc
import Hardware
import Library
import Offline
import Panel
import Pictures
import Playback
import Runtime

/// The panel: the screens on which it is shown, its menu, and what it offers and hints at. It lives on the main loop. It
/// keeps one file in the state folder: that somebody has found the menu.
@MainLoop
final class PanelAssembly {
  /// Nil where no text can be drawn because a font is missing.
  let part: PanelPart?
  private let context: ProgramContext
  private let covers: StreamCovers
  private var facts: PanelFactsFeed?

  init(_ context: ProgramContext, _ playing: Playing, _ keeping: Keeping, _ streaming: StreamAssembly) {
    (self.context, covers) = (context, streaming.covers)
    part = Self.part(context, playing, keeping, covers)
    guard let part else { return }
    covers.changed = { [weak part] in part?.coversHaveChanged() }
    context.chosen.follow { [weak part] _ in if let part { Self.follow(context.settings, part) } }
  }

  private static func part(
    _ context: ProgramContext, _ playing: Playing, _ keeping: Keeping, _ covers: StreamCovers
  ) -> PanelPart? {
    let settings = context.settings
    let type: PanelType
    do throws(Fault) { type = try PanelType(regular: settings[.panelFont], bold: settings[.panelBoldFont]) } catch {
      context.notices.post(Notice(error, instead: "there is no picture, but the music plays"))
      return nil
    }
    var style = PanelStyle(settings[.profile])
    style.takesCoverColours = settings[.coverColours]
    style.diagonal = settings[.panelDiagonal]
    let look = PanelLook(
      type: type, words: PanelWords.of(settings[.language]), theme: LightAssembly.daylight(settings).theme, style: style
    )
    let art: ArtShelf? =
      context.outset.isSafe
      ? nil : ArtShelf(storing: context.statePath / "art", decoding: .process(PictureProcess.words))
    return PanelPart(
      size: size(settings), look: look, playing: playing, keeping: keeping, notices: context.notices,
      terminal: terminal(context),
      device: device(settings), art: art, questions: context.questions, isReady: false,
      coverOf: { covers.place(of: $0.ofFile) }, timeOfDay: { LocalTime.ofDay() })
  }

  private static func size(_ settings: Settings) -> Size {
    let size = settings[.panelSize]
    return Size(width: size.width, height: size.height)
  }

  private static func device(_ settings: Settings) -> PanelDevice? {
    let device: DisplayPlace.Device
    switch settings[.panelDevice] {
    case .none: return nil
    case .automatic: device = .automatic
    case .device(let path): device = .named(path)
    }
    return PanelDevice(
      DisplayPlace(device, turn: Turn(rawValue: settings[.panelRotation]) ?? .none, wanted: size(settings)))
  }

  private static func terminal(_ context: ProgramContext) -> Terminal? {
    guard context.options.inTerminal else { return nil }
    guard isatty(STDOUT_FILENO) == 1 else {
      Log("layby").notice("no terminal, so the panel is not shown; layby screen OUT.png draws it")
      return nil
    }
    let colours = TerminalColours(
      colorTerm: EnvironmentVariable.colours.text, term: EnvironmentVariable.terminal.text)
    do throws(Fault) {
      let terminal = try Terminal.onStandardOutput(colours: colours)
      // The picture and the log cannot share the terminal; `layby log` shows it.
      if isatty(STDERR_FILENO) == 1 { LogBook.shared.redirect(to: -1) }
      return terminal
    } catch {
      context.notices.post(Notice(error, instead: "the panel is not shown, but the music plays"))
      return nil
    }
  }

  /// Applies changed settings. The theme is the subject of `LightAssembly`.
  private static func follow(_ settings: Settings, _ part: PanelPart) {
    var look = part.look
    look.words = PanelWords.of(settings[.language])
    look.style.profile = settings[.profile]
    look.style.takesCoverColours = settings[.coverColours]
    part.look = look
  }

  func keep() async {
    if let part { await context.supervisor.keep(part, when: .restart) }
  }

  /// While nothing can be reached, what plays says so; only where something is downloaded at all.
  func hear(_ state: NetworkState) {
    var conditions = TransferConditions()
    conditions.hear(state, needsInternet: context.settings[.offlineNeedsInternet])
    part?.isReached = conditions.internet != .none
  }

  /// Tells the panel from now on what its states are made of. `output` is the sound device that is wanted.
  func follow(_ output: SoundOutput, _ library: LibraryAssembly) {
    if let part { facts = PanelFactsFeed(output, context, library, part) }
  }

  // MARK: Menu

  func openMenu(_ library: LibraryAssembly, _ transport: Transport, _ kiosk: Kiosk) {
    guard let part else { return }
    let notices = context.notices
    let actions = ProgramMenuActions(library.application, notices, kiosk, covers, part)
    library.follow { [weak actions] in actions?.music.forgetNames() }
    let menu = MenuController(
      actions, settings: .all, notices: notices, status: { transport.status },
      tell: { notices.post(Notice($0, instead: "the music goes on")) })
    actions.menu = menu
    part.menu = menu
    if let wireless = library.application.wireless {
      let changes = Mailbox<Void>(limit: 1)
      wireless.follow(changes)
      MainLoop.start { [weak menu] in while await changes.receive() != nil { menu?.refresh() } }
    }
  }

  /// Somebody with a knob and no manual cannot guess how the menu is opened, or that rows can be pressed twice. A notice
  /// says so at each start, until they have done it once.
  func hintAtMenu(_ storage: Storage) async {
    let settings = context.settings
    guard settings[.knobLines] != nil, let menu = part?.menu, !settings.isKiosk else { return }
    let (menuIsKnown, twiceIsKnown) = (storage.path / "menu-is-known", storage.path / "second-press-is-known")
    if await !Self.isThere(menuIsKnown, storage) {
      context.notices.post(Notice("N-126", PanelWords.of(settings[.language])[.holdForMenu]))
      menu.wasOpened = { Self.remember(menuIsKnown, storage) }
    }
    // Larger panels say so below each list.
    guard menu.manner.screen.isSmall, await !Self.isThere(twiceIsKnown, storage) else { return }
    menu.meetsSecondPress = { [context] in
      context.notices.answer(Notice("N-126", "\(PanelWords.of(context.settings[.language])[.pressTwice])."))
    }
    menu.pressedTwice = { Self.remember(twiceIsKnown, storage) }
  }

  private static func isThere(_ path: FilePath, _ storage: Storage) async -> Bool {
    await storage.loop.perform { () -> Bool in
      var status = stat()
      return path.withCString { stat($0, &status) } == 0
    }
  }

  private static func remember(_ path: FilePath, _ storage: Storage) {
    storage.loop.post {
      // Without the file it is said once more.
      do throws(Fault) { try AtomicFile.replace(path, with: []) } catch {
        Log("layby").info("that a gesture is known is not kept", ["file": "\(path)", "reason": error.message])
      }
    }
  }

  // MARK: Offers

  /// Where nothing is in the queue, the panel offers the library's music. A kiosk's visitor chooses in the menu.
  func offerMusic(of library: LibraryAssembly) {
    library.follow { [context, weak part] in
      guard let part, library.application.playlists != nil, let browsing = library.application.browsing,
        !context.settings.isKiosk
      else { return }
      MainLoop.start {
        do throws(Fault) { part.offersLibrary = try await browsing.survey().tracks > 0 } catch {
          Log("layby").info("nobody knows whether there is music", ["reason": error.message])
        }
      }
    }
  }
}
