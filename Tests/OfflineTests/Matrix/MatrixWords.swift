import DiskFaults
import FaultServer
import Runtime
import Testing

@testable import Offline

/// What a download has behind it when the fault strikes, and what its source says of it.
enum Stage: String, CaseIterable {
  /// Nothing of it is here yet.
  case fresh = "before its first byte"
  /// Its line broke at two fifths, and it is tried again.
  case begun = "after its line broke"
  /// The same, and the power went.
  case restarted = "after a power cut"
  /// All but its last byte is here.
  case nearlyWhole = "before its last byte"
  /// The owner paused it at two fifths, and goes on.
  case resumed = "after a pause"
  /// Nobody says how long it is or what its sum is, and no version has a name.
  case unknown = "as a file of which nothing is known"
  /// Nobody says so either, but its version has a name; its line broke at two fifths.
  case named = "as a version that only has a name"

  var durable: Int64 {
    switch self {
    case .fresh, .unknown: 0
    case .begun, .restarted, .resumed, .named: 40_000
    case .nearlyWhole: 99_999
    }
  }

  /// Its source says how long it is and what its sum is.
  var isPromised: Bool { self != .unknown && self != .named }

  static let promised: [Stage] = [.fresh, .begun, .restarted, .nearlyWhole, .resumed]
  static let behind: [Stage] = [.begun, .restarted, .nearlyWhole, .resumed]
  static let middle: [Stage] = [.begun, .restarted, .resumed]
}

/// How a download takes a fault, by what it tells.
enum Taken: Equatable {
  /// Nothing is told: it goes on, or begins anew.
  case quietly
  /// Its source is asked for another address, and no attempt is used up.
  case byAddress
  case retries(Trouble, least: Duration = .zero)
  case waits(WaitReason)
  case fails(Trouble)
  /// The row cannot be stored: it is as if the power had gone, and is tried again later.
  case unstored
  case dies
}

/// A fault, and how it is taken.
struct MatrixFault: Sendable {
  enum Kind: Sendable {
    /// What the server does with the file's next questions.
    case server([Act])
    /// The file lies elsewhere: at another server.
    case elsewhere(Elsewhere)
    /// What the server does with the next questions for its index.
    case index([Act])
    case disk(FaultyDisk.Rule)
    /// While rows and files are brought to say the same.
    case start(FaultyDisk.Rule)
    case row(FaultyRows.Rule)
    /// To the growing file, while the power is off.
    case damage(Damage)
    /// The owner has replaced the file by another as long, and written its index anew.
    case replaced
  }

  enum Elsewhere: String, Sendable {
    case noName, nobody, unreachable, deaf, pin, untrusted, expired, expiredClockUnset, oldTLS, insecure
  }

  enum Damage: String, Sendable { case flipped, shorter, longer, gone, emptied }

  let name: String
  let kind: Kind
  let standings: [Stage]
  let taken: Taken
  var except: [Stage: Taken] = [:]
  /// What it ends in when the fault does not go away; nil: that is not tried.
  var lasts: Taken?
  /// What was here is given up.
  var startsOver = false
  /// In the end there is what the fault brought, all of it, and not the file.
  var bringsOther: Set<Stage> = []

  init(_ name: String, _ kind: Kind, at standings: [Stage], _ taken: Taken) {
    (self.name, self.kind, self.standings, self.taken) = (name, kind, standings, taken)
  }

  /// An index that is known is not asked for again.
  func canLast(at standing: Stage) -> Bool {
    if case .index = kind { return standing == .fresh }
    return standing == .fresh || standing == .begun
  }

  func but(_ standings: [Stage], _ taken: Taken) -> MatrixFault {
    var fault = self
    for standing in standings { fault.except[standing] = taken }
    return fault
  }

  func forever(_ taken: Taken) -> MatrixFault {
    var fault = self
    fault.lasts = taken
    return fault
  }

  var startingOver: MatrixFault {
    var fault = self
    fault.startsOver = true
    return fault
  }

  func bringing(at standings: Set<Stage>) -> MatrixFault {
    var fault = self
    fault.bringsOther = standings
    return fault
  }
}

/// A fault that strikes a download as it stands: once, or until somebody mends it.
struct MatrixCase: Sendable, CustomStringConvertible, CustomTestStringConvertible {
  let fault: MatrixFault
  let standing: Stage
  let isForever: Bool

  /// Once and for ever are one pair.
  var pair: String { "\(fault.name), \(standing.rawValue)" }
  var testDescription: String { description }
  var description: String { pair + (isForever ? ", again and again" : "") }

  var taken: Taken { fault.except[standing] ?? fault.taken }

  static func all(of faults: [MatrixFault]) -> [MatrixCase] {
    var cases: [MatrixCase] = []
    for fault in faults {
      for standing in fault.standings {
        cases.append(MatrixCase(fault: fault, standing: standing, isForever: false))
        guard fault.lasts != nil, fault.canLast(at: standing) else { continue }
        cases.append(MatrixCase(fault: fault, standing: standing, isForever: true))
      }
    }
    return cases
  }
}
