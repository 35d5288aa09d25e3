import Application
import Library
import Offline
import Panel
import Runtime

/// Collects for the panel what the rest of the program knows of the device's state, and tells it when that changes. It
/// lives on the main loop.
@MainLoop
final class PanelFactsFeed {
  private let application: Application
  private let settings: Settings
  private let device: String?
  private weak var panel: PanelPart?
  private var away: PanelFacts.Away?
  /// Since when nothing has come from each source that was away; being tried again is not yet an end of that.
  private var awaySince: [String: Moment] = [:]
  private var importing: PanelFacts.Import?
  /// A look goes through all that is wanted.
  private let soon = SoonOnce()
  init(_ output: SoundOutput, _ context: ProgramContext, _ library: LibraryAssembly, _ panel: PanelPart) {
    (application, settings, self.panel) = (library.application, context.settings, panel)
    if case .alsa(let name) = output { device = Self.shown(name) } else { device = nil }
    panel.facts = { [weak self] in self?.facts ?? PanelFacts() }
    library.followImports { [weak self] in self?.importsChanged() }
    library.follow { [weak panel] in panel?.musicHasChanged() }
    let events = Mailbox<OfflineEvent>()
    application.keeping.follow(events)
    MainLoop.start { [weak self] in while let event = await events.receive() { self?.hear(event) } }
  }

  /// Of `hw:CARD=Headphones,DEV=0` what a person calls it.
  static func shown(_ device: String) -> String {
    guard let card = device.split(separator: "=", maxSplits: 1).dropFirst().first else { return shownPlain(device) }
    return shownPlain(String(card.prefix { $0 != "," }))
  }

  private var facts: PanelFacts {
    PanelFacts {
      $0.missingDevice = device
      $0.unsaved = application.health.unsaved.map { PanelFacts.Unsaved($0) }
      $0.importing = importing
      $0.away = away
      if let source = away?.source { $0.away?.isPlayed = played.contains(source) }
      $0.joinsWireless = application.wireless != nil
      if application.keeping.fetches { $0.sources = settings.sources.map { shownPlain($0) } }
      $0.stick = application.sticks.flatMap { $0.count > 0 ? $0.there.first : nil }.map { shownPlain($0.label) }
      $0.musicFolder = settings[.firstMusic].map { "\($0)" }
    }
  }

  /// The sources of what plays and of what comes next.
  private var played: [String] {
    guard let entry = application.playing.status.entry else { return [] }
    let next = application.playing.queue.successor(of: entry.id)
    return [entry, next].compactMap { $0.flatMap { ItemKey(address: $0.path) }.map { shownPlain($0.source) } }
  }

  private func importsChanged() {
    let before = importing
    importing = application.importing.flatMap { use in
      guard use.state.isRunning, let progress = use.state.progress else { return nil }
      return PanelFacts.Import(
        "\(progress.root.name)", seen: progress.seen, total: progress.phase == .counting ? 0 : progress.total,
        left: progress.left(at: MainLoop.loop.now))
    }
    if importing != before { panel?.factsChanged() }
  }

  private func hear(_ event: OfflineEvent) {
    if event.changesSigns { panel?.musicHasChanged() }
    if case .download(.progressed) = event {} else { lookSoon() }
    let before = away
    switch event {
    case .download(.retryScheduled(let key, let trouble, let pause)) where trouble.waitsAfterAll == .server:
      away = away(key, again: MainLoop.loop.now + pause)
    case .download(.waits(let key, .server)): away = away(key, again: nil)
    case .download(.progressed(let key, _, _)), .download(.completed(let key, _)):
      awaySince[key.source] = nil
      if away?.source == shownPlain(key.source) { away = nil }
    case .goesOn: away = nil
    case .download(.started), .download(.failed), .download(.deleted), .download(.allDeleted),
      .download(.stateChanged), .download(.waits), .download(.retryScheduled), .download(.recovered),
      .download(.maintenanceDone), .waits, .warned, .gaveUp, .wanted, .dropped, .followed, .renamed, .moving,
      .moveWaits, .moved:
      break
    }
    if away != before { panel?.factsChanged() }
  }

  private func lookSoon() { soon.start { [weak self] in await self?.look() } }

  /// Whether some of what was asked for is on its way just now. Streams and smart downloads do not count.
  private func look() async {
    let lines = try? await application.keeping.lines()  // without an answer nothing is known to be on its way
    panel?.isFetching = lines?.contains { $0.state == .running && $0.container.kind.isWish } ?? false
  }

  private func away(_ key: MediaKey, again: Moment?) -> PanelFacts.Away {
    let why = Why(WaitReason.server)
    let since = awaySince[key.source] ?? MainLoop.loop.now
    awaySince[key.source] = since
    return PanelFacts.Away(
      shownPlain(key.source), since: since, again: again, code: why.code, message: why.words)
  }
}

extension ContainerKey.Kind {
  /// Somebody wants it, now or whenever there is more of it.
  fileprivate var isWish: Bool {
    switch self {
    case .track, .playlist, .album, .artist, .devicePlaylist, .podcast, .episode: true
    case .predicted, .cache: false
    }
  }
}

extension OfflineEvent {
  /// Music is kept, comes or goes after it that was not before, or is called otherwise.
  fileprivate var changesSigns: Bool {
    switch self {
    case .download(.started), .download(.completed), .download(.failed), .download(.deleted), .download(.allDeleted),
      .download(.stateChanged), .download(.recovered), .download(.maintenanceDone), .gaveUp, .wanted, .dropped,
      .followed, .renamed, .moved:
      true
    case .download(.progressed), .download(.waits), .download(.retryScheduled), .waits, .goesOn, .warned, .moving,
      .moveWaits:
      false
    }
  }
}
