import Runtime

/// A file system on a USB stick that can be read now. It is mounted by the system's own means, read-only; the player
/// has no part in that.
package struct Stick: Hashable, Sendable {
  /// The file system's own identity, by which it is known again: letters, digits and dashes. Two copies of one stick
  /// have the same; a stick without has none.
  package let uuid: String?
  /// The same, or what else it is known again by; nil when there is nothing that would tell it from another.
  package let identity: String?
  /// For people; never part of a path. Empty when the stick says nothing.
  package let label: String
  /// The folder in which its files are.
  package let root: FilePath
  package let fileSystem: String
  /// All of it, used or not; nil when the kernel does not say.
  package let bytes: Int64?
  package let device: DeviceNumber

  package init(
    uuid: String?, identity: String? = nil, label: String, root: FilePath, fileSystem: String, bytes: Int64?,
    device: DeviceNumber
  ) {
    self.uuid = uuid
    self.identity = uuid ?? identity
    self.label = label
    self.root = root
    self.fileSystem = fileSystem
    self.bytes = bytes
    self.device = device
  }

  /// As a sentence names it.
  package var shownName: String { Self.shownName(label) }
  /// For a sentence of any language.
  package var ownName: [String] { Self.ownName(label) }

  static func ownName(_ label: String) -> [String] { [label.isEmpty ? "USB" : "\"\(label)\""] }
  static func shownName(_ label: String) -> String { label.isEmpty ? "The stick" : "The stick \"\(label)\"" }
}

/// A stick that was put in and cannot be read.
package struct RefusedStick: Hashable, Sendable {
  package enum Reason: String, CaseIterable, Sendable {
    /// Its file system cannot be mounted.
    case broken
    /// It has one that is not read here, or is locked with a password.
    case unknown
    /// It has one that is read on other boards, and this board's kernel has no driver for it.
    case noDriver = "no_driver"
    /// It has none.
    case empty
    /// It looks like two kinds at once.
    case ambiguous
    /// It did not answer.
    case silent
    /// Its place is taken.
    case busy
    /// It is read after a yes.
    case waits
    /// The board's settings say that none is read.
    case forbidden
  }

  package let label: String
  package let reason: Reason
  package let fileSystem: String?
  package let device: String

  package init(label: String, reason: Reason, fileSystem: String?, device: String) {
    self.label = label
    self.reason = reason
    self.fileSystem = fileSystem
    self.device = device
  }
}

package enum StickEvent: Equatable, Sendable {
  case came(Stick)
  case went(Stick)
  case refused(RefusedStick)
  /// One that could not be read is not there any more, or can be read by now.
  case refusalEnded(RefusedStick)
}

extension StickEvent {
  /// What a person is told of it; nil when it is nothing new.
  package var notice: Notice? {
    switch self {
    case .came(let stick): Notice("H-710", "\(stick.shownName) can be read", names: stick.ownName)
    case .went(let stick): Notice("H-711", "\(stick.shownName) is gone", names: stick.ownName)
    case .refused(let stick) where stick.reason == .noDriver:
      Notice("H-718", stick.sentence, names: stick.ownName)
    case .refused(let stick): Notice("H-712", stick.sentence, names: stick.ownName)
    case .refusalEnded: nil
    }
  }
}

extension RefusedStick {
  var ownName: [String] { Stick.ownName(label) }

  var sentence: String {
    let name = Stick.shownName(label)
    return switch reason {
    case .broken: "\(name) cannot be read: its file system\(fileSystem.map { " (\($0))" } ?? "") is damaged"
    case .unknown:
      "\(name) cannot be read: it is made for another system (\(fileSystem ?? "unknown")); FAT, exFAT, NTFS and ext4 are read"
    case .noDriver:
      "\(name) cannot be read: this board's system has no driver for its file system\(fileSystem.map { " (\($0))" } ?? "")"
    case .empty: "\(name) has no file system: there is nothing to read on it"
    case .ambiguous: "\(name) cannot be read: it looks like two file systems at once"
    case .silent: "\(name) does not answer"
    case .busy: "\(name) cannot be read: as many sticks of this name are in as can be read"
    case .waits: "\(name) is not read before somebody says yes"
    case .forbidden: "\(name) is not read: the board's settings say [sticks] mount = never"
    }
  }
}

extension StickEvent {
  package var json: JSON {
    switch self {
    case .came(let stick): ["event": "stick came", "stick": stick.json]
    case .went(let stick): ["event": "stick went", "stick": stick.json]
    case .refused(let stick): ["event": "stick refused", "stick": stick.json]
    case .refusalEnded(let stick): ["event": "stick no longer refused", "stick": stick.json]
    }
  }
}

extension Stick {
  package var json: JSON {
    [
      "uuid": uuid.map { JSON($0) } ?? .null, "label": JSON(label), "path": JSON(path: root),
      "file_system": JSON(fileSystem), "bytes": bytes.map { JSON($0) } ?? .null,
    ]
  }
}

extension RefusedStick {
  package var json: JSON {
    [
      "label": JSON(label), "reason": JSON(reason.rawValue), "file_system": fileSystem.map { JSON($0) } ?? .null,
      "message": JSON(sentence),
    ]
  }
}
