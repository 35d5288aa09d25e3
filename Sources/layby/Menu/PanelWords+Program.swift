import Application
import Offline
import Panel
import Runtime

extension PanelWords {
  /// How a part of the program is.
  func said(_ state: Health.Part.State) -> String {
    switch state {
    case .starting: self[.partStarts]
    case .running: self[.partRuns]
    case .restarting: self[.partStartsAgain]
    case .degraded: self[.partIsOff]
    case .ended: self[.partHasEnded]
    }
  }

  /// Why something is fetched unasked.
  func said(_ reasons: [Prediction.Reason]) -> String { begun(listed(reasons.map(said))) }

  private func said(_ reason: Prediction.Reason) -> String {
    switch reason {
    case .queue: return self[.nextInQueue]
    case .list(let name): return filled(.isInList, shownPlain(name))
    case .oftenLately(let plays): return filled(.playedLately, "\(plays)")
    case .similarSessions: return self[.playedAlong]
    case .thisHour(let weekday, let hour):
      let part: Word =
        switch Prediction.PartOfDay(hour: hour) {
        case .mornings: .mornings
        case .afternoons: .afternoons
        case .evenings: .evenings
        case .nights: .nights
        }
      return filled(.oftenAt, self[Prediction.Reason.isWeekend(weekday) ? .weekends : .weekdays], self[part])
    }
  }
}
