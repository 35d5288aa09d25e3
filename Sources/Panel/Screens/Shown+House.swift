import Playback
import Runtime

// From what the house says of itself to what a screen shows.

extension ShownQuestion {
  init(
    _ asked: QuestionQueue.Asked, waiting: Int, notice: (notice: Notice, stands: Bool)?, _ words: PanelWords = .english
  ) {
    let said = words.said(asked.question)
    self.init { shown in
      shown.text = said.text
      shown.details = asked.question.details
      shown.answers = said.answers
      shown.chosen = asked.chosen
      shown.waiting = waiting
      shown.notice = notice.map { words.said($0.notice) }
      shown.noticeInShort = notice.flatMap { words.inShort($0.notice) }
      shown.noticeStands = notice?.stands ?? false
    }
  }
}

extension NowPlaying {
  package init(_ status: PlayerStatus, notice: (notice: Notice, stands: Bool)?, _ words: PanelWords = .english) {
    // Through the closure: what is set in an initializer itself is not rounded and held within its limits by the
    // property's observer, and then elapsed and remaining time do not add up.
    self.init { now in
      now.title = status.track?.title ?? ""
      now.artist = status.track?.artist ?? ""
      now.album = status.track?.album ?? ""
      now.chapter = status.chapterTitle
      now.position = status.place.elapsed
      now.duration = status.track?.duration
      // While it is muted 0 is shown: a volume beside silence would look like a fault.
      now.volume = status.isMuted ? 0 : status.volume
      now.index = status.index ?? 0
      now.count = status.count
    }
    upNext = status.next?.title
    self.notice = notice.map { words.said($0.notice) }
    noticeInShort = notice.flatMap { words.inShort($0.notice) }
    noticeStands = notice?.stands ?? false
    state =
      switch status.wish {
      case .playing: status.waitsForDevice || status.waitsFor != nil ? .waiting : .playing
      case .paused: .paused
      case .stopped: .stopped
      }
    if status.wish == .playing, status.waitsFor != nil { condition = .loading }
    isShuffled = status.isShuffled
    if status.sleep != nil { sleep = status.sleepsIn.map { .minutes(Self.minutes($0)) } ?? .unknown }
    repeatMode =
      switch status.repeats {
      case .off: .off
      case .one: .one
      case .all: .all
      }
  }
}
