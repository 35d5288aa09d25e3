import Canvas
import Runtime

/// What the canvas shows, of whatever kind.
enum ShownPicture: Equatable {
  case nowPlaying(NowPlaying)
  case menu(ShownMenu)
  case question(ShownQuestion)
  case invitation(ShownInvitation)
}

/// All screens, in one look.
struct PanelScreens {
  let music: NowPlayingScreen
  let invitation: InvitingScreen
  private let question: QuestionScreen
  private let menu: MenuScreen

  init(_ look: PanelLook) {
    (music, question, menu) = (NowPlayingScreen(look), QuestionScreen(look), MenuScreen(look))
    invitation = InvitingScreen(look)
  }

  /// How far what has no room has gone by.
  func gone(_ picture: ShownPicture, _ size: Size, _ marquees: inout Marquees, at now: Moment) -> Int {
    switch picture {
    case .nowPlaying(let shown): marquees.gone(ofTitle: music.overrun(shown, size), at: now)
    case .menu(let shown): marquees.gone(ofRow: menu.overrun(shown, size), at: now)
    case .question, .invitation: marquees.stand()
    }
  }

  func draw(_ picture: ShownPicture, gone: Int, on canvas: Canvas) {
    switch picture {
    case .nowPlaying(let shown): music.draw(shown, gone: gone, on: canvas)
    case .menu(let shown): menu.draw(shown, gone: gone, on: canvas)
    case .question(let shown): question.draw(shown, on: canvas)
    case .invitation(let shown): invitation.draw(shown, on: canvas)
    }
  }

  /// In one line.
  func caption(of picture: ShownPicture) -> String {
    switch picture {
    case .nowPlaying(let shown): music.caption(of: shown)
    case .menu(let shown): menu.caption(of: shown)
    case .question(let shown): question.caption(of: shown)
    case .invitation(let shown): invitation.caption(of: shown)
    }
  }

  /// The covers that a menu shows, and then those of the rows around.
  func covers(of shown: ShownMenu, _ size: Size) -> [ListCovers.Wish] { menu.covers(of: shown, size) }

  /// Where it can be touched; nil where only all of it can.
  func ground(_ picture: ShownPicture, _ size: Size) -> TouchReading.Ground? {
    switch picture {
    case .nowPlaying(let shown): music.ground(shown, size)
    case .menu(let shown): menu.ground(shown, size)
    case .question(let shown): question.ground(shown, size)
    case .invitation: nil
    }
  }
}
