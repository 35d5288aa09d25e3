import Runtime

extension Player.Notice {
  /// In words for the panel.
  package var forPeople: Notice {
    switch self {
    case .fault(let fault, let path): Notice(fault.code, fault.message).about(path).asProblem
    case .deviceLost(let fault): Notice(fault.code, fault.message, isUrgent: true).asProblem
    case .nothingToPlay: Notice("P-101", "There is nothing to play. Add music first.")
    case .queueEnded: Notice("P-102", "The queue has ended.")
    case .queueFull(let leftOut):
      Notice("P-103", "The queue is full (\(PlayQueue.limit)); \(leftOut) were left out.")
    case .tooManyUnplayable(let count):
      Notice("P-104", "\(count) files in a row cannot be played. Stopped.", isUrgent: true)
    case .nothingThere:
      Notice("P-105", "None of the files in the queue is there. Is the stick plugged in?", isUrgent: true)
    case .deviceBack: Notice("P-106", "The sound device is back.")
    case .outputFailed(let fault):
      Notice("P-108", "\(fault). It cannot go on, so playing has stopped.", isUrgent: true).asProblem
    case .damaged(let path, let places):
      Notice(
        "P-107", "\(path) is damaged in \(places) \(places == 1 ? "place" : "places"); what could be played was.",
        names: ["\(path.name)"]
      ).about(path.ofFile)
    }
  }
}
