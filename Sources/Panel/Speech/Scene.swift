import Canvas
import Playback

/// What is on the panel, as far as it can be told: where one is, what is looked at, and how that stands. Pure.
package struct Scene: Equatable, Sendable {
  /// Said on arrival.
  package var place = ""
  /// What is looked at.
  package var focus = ""
  /// How it stands, said behind it.
  package var value = ""
  /// What hands can do there, said last on arrival.
  package var advice = ""
  /// Its value changes by itself, and is only told with what it is of.
  package var isMoving = false
  /// What one came for is being looked up, and takes its place by itself.
  package var isComing = false
  /// Somebody wants an answer, so it is told without a hand having done anything.
  package var asks = false

  package init(_ set: (inout Scene) -> Void = { _ in }) { set(&self) }
}

extension ShownPicture {
  func scene(_ words: PanelWords) -> Scene {
    switch self {
    case .nowPlaying(let now): now.scene(words)
    case .menu(let menu): menu.scene(words)
    case .question(let question): question.scene
    case .invitation(let invitation): invitation.scene
    }
  }
}

extension ShownMenu {
  package func scene(_ words: PanelWords) -> Scene {
    Scene {
      $0.place = title
      switch content {
      case .rows(let rows, let focus, _, _):
        guard rows.indices.contains(focus) else { return }
        let row = rows[focus]
        $0.focus = Self.joined([row.title, row.detail, row.head?.artist ?? ""] + (row.head?.facts ?? []))
        $0.value = Self.joined([row.value, row.mark.map { words[$0.word] } ?? ""])
        if case .progress = row.sign { $0.isMoving = true }
      // Of a secret nobody around hears anything.
      case .wheel(let wheel): $0.focus = wheel.writing?.isSecret == true ? "" : wheel.said(words)
      case .dial(let dial):
        $0.value = dial.text(words)
        $0.advice = hint
      // Before anybody turns, it goes on by itself.
      case .place(let shown):
        $0.focus = shown.title
        $0.value = shown.place.clock
        $0.advice = hint
        $0.isMoving = !shown.isTurned
      case .code(_, let lines): $0.focus = Self.joined(lines)
      case .heard(let heard): $0.focus = heard.text
      case .words(let text):
        $0.focus = text
        $0.isComing = text == words[.looking]
      }
    }
  }

  fileprivate static func joined(_ parts: [String]) -> String {
    parts.filter { !$0.isEmpty }.joined(separator: ", ")
  }
}

extension LetterWheel {
  fileprivate func said(_ words: PanelWords) -> String {
    switch focused {
    case .letter(let letter): letter
    case .results, .space, .delete: self.words(for: focused, words)
    case nil: ""
    }
  }
}

extension ShownInvitation {
  package var scene: Scene { Scene { $0.place = [words, hint].filter { !$0.isEmpty }.joined(separator: ". ") } }
}

extension ShownQuestion {
  package var scene: Scene {
    Scene {
      $0.place = ([text] + details).joined(separator: ". ")
      $0.focus = answers.indices.contains(chosen) ? answers[chosen] : ""
      $0.asks = true
    }
  }
}

extension NowPlaying {
  /// Where the music is in the track is no news.
  package func scene(_ words: PanelWords) -> Scene {
    Scene {
      let name = title.allSatisfy(\.isWhitespace) ? words[.untitled] : title
      if count > 0 {
        $0.focus = ShownMenu.joined([name, artist])
      } else {
        $0.focus =
          told.map { [$0.title, $0.offer].filter { !$0.isEmpty }.joined(separator: ". ") } ?? words[.nothingToPlay]
      }
      let standing: String? =
        switch state {
        case .paused: words[.paused]
        case .starting: words[.starting]
        case .waiting: words[.waiting]
        case .playing, .stopped: nil
        }
      // What has been read is no other news.
      let told = count > 0 ? told.map { $0.isWarning ? $0.sentences : [$0.title] } : told?.now
      let sentences = [standing].compactMap(\.self) + (warning?.sentences ?? []) + (told ?? [])
      $0.value = sentences.joined(separator: ". ")
      // How far an import is, is told to whoever comes, and not at each step.
      $0.isMoving = self.told?.kind == .importing
    }
  }
}
