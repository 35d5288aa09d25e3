import Runtime

extension Survey {
  /// Below this the caches of covers and the library soon fill it.
  static let littleSpace: Int64 = 500_000_000
  /// Below this not even the queue is saved with certainty.
  static let noSpace: Int64 = 1_000_000

  var stateFolder: Finding {
    let path = wishes.state.description
    func finding(_ verdict: Finding.Verdict, _ seen: String, _ advice: String? = nil) -> Finding {
      Finding("state folder", verdict, seen, advice: advice, isNeeded: true)
    }
    switch machine.state {
    case .usable: return finding(.works, "\(path) can be written")
    case .canBeMade: return finding(.works, "\(path) is not there yet and will be made")
    case .isNoFolder:
      return finding(.missing, "\(path) is not a folder", "move it away, or name another: --state FOLDER")
    case .closed(let at):
      return finding(
        .forbidden, at == path ? "\(path) cannot be written" : "\(path) cannot be made: \(at) cannot be written",
        "give it to this user: sudo install -d -o \(machine.userName) \(path); or name another: --state FOLDER")
    }
  }

  var freeSpace: Finding {
    guard let free = machine.freeBytes else {
      return Finding("free space", .limited, "how much is free for \(wishes.state) cannot be seen")
    }
    let seen = "\(Self.size(free)) free for \(wishes.state)"
    guard free < Self.littleSpace else { return Finding("free space", .works, seen) }
    return Finding(
      "free space", free < Self.noSpace ? .missing : .limited, seen,
      advice: "delete something there, or use a larger card: below \(Self.size(Self.littleSpace)) covers and library "
        + "run out of room, at nothing the queue is no longer saved")
  }

  var fonts: Finding {
    let readable = machine.fonts.filter(\.isReadable)
    let others = machine.fonts.filter { !$0.isReadable }.map(\.path)
    let advice = "install them: sudo apt install fonts-dejavu-core; or name others under [panel] in the board's file"
    if readable.isEmpty {
      return Finding("letters", .missing, "no font for the panel: \(Self.list(others))", advice: advice)
    }
    guard others.isEmpty else {
      return Finding("letters", .limited, "not there: \(Self.list(others))", advice: advice)
    }
    return Finding("letters", .works, Self.list(readable.map(\.path)))
  }
}
