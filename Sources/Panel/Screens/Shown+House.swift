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
      shown.noticeStands = notice?.stands ?? false
    }
  }
}

extension NowPlaying {
  package init(_ status: PlayerStatus, notice: (notice: Notice, stands: Bool)?, _ words: PanelWords = .english) {
    self.init()
    title = status.track?.title ?? ""
    artist = status.track?.artist ?? ""
    album = status.track?.album ?? ""
    position = status.place.elapsed
    duration = status.track?.duration
    // What is heard counts: a volume beside silence would look like a fault.
    volume = status.isMuted ? 0 : status.volume
    index = status.index ?? 0
    count = status.count
    upNext = status.next?.title
    self.notice = notice.map { words.said($0.notice) }
    noticeStands = notice?.stands ?? false
    state =
      switch status.wish {
      case .playing: status.waitsForDevice ? .waiting : .playing
      case .paused: .paused
      case .stopped: .stopped
      }
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
