import Application
import Hardware
import Runtime

/// What the verbs `health` and `status` tell of the device.
extension Health {
  /// Each part, and the sound as the last of them.
  var partsJSON: JSON {
    .list(parts.map { $0.json($0.name == "panel" ? display : nil) } + [sound?.json].compactMap(\.self))
  }

  /// Whether what plays is kept.
  var savingJSON: JSON {
    guard let unsaved else { return ["ok": true] }
    return [
      "ok": false, "kind": JSON(unsaved.kind.rawValue), "code": JSON(unsaved.code),
      "message": JSON(Notice.unsaved(unsaved).message), "reason": JSON(unsaved.message),
    ]
  }

  var networkJSON: JSON { network?.json ?? .null }
  var powerJSON: JSON { power?.json ?? .null }
}

extension Flags {
  var json: JSON {
    .list(
      Flag.allCases.map { flag in
        let state = state(of: flag)
        return ["flag": JSON(flag.rawValue), "on": JSON(state.isOn), "why": JSON(state.words)]
      })
  }
}

extension Health.Part {
  func json(_ device: DeviceAnswer?) -> JSON {
    var members: [(String, JSON)] = [
      ("part", JSON(name)), ("state", JSON(state.rawValue)), ("restarts", JSON(restarts)),
    ]
    if let device { members.append(("device", device.json)) }
    return .object(JSON.Object(members))
  }
}

extension DeviceAnswer {
  /// `works`, or in one word why not; the sentence is in the log.
  fileprivate var json: JSON {
    switch self {
    case .works: "works"
    case .fails(let fault): JSON(fault.kind.rawValue)
    }
  }
}

extension Health.Sound {
  var json: JSON {
    [
      "part": "sound", "state": isAlive ? "running" : "silent", "restarts": 0,
      "device": device?.json ?? .null, "playing": JSON(isPlaying), "played": JSON(played),
      "underruns": JSON(Int64(clamping: underruns)), "starvations": JSON(Int64(clamping: starvations)),
      "drift_ppm": drift.map { JSON($0) } ?? .null,
    ]
  }
}

extension Health.Network {
  var json: JSON {
    let members = state.json(radios).memberList
    return .object(
      JSON.Object(
        members + [("asked", JSON(isProbed)), ("bandwidth", bandwidth.map { JSON($0) } ?? .null)]))
  }
}

extension Health.Power {
  var json: JSON {
    var members = state.json(supplies).memberList
    if let outlook { members += outlook.json.memberList }
    if let panelLight { members.append(("panel", JSON(panelLight.rawValue))) }
    if let alarms { members.append(("alarms", alarms.json)) }
    return .object(JSON.Object(members))
  }
}

extension SwitchOffPart.Outlook {
  fileprivate var json: JSON {
    [
      "ignition": JSON(ignition?.rawValue ?? "none"), "writes": holdsWrites ? "held" : "allowed",
      "then": next.map { JSON($0.rawValue) } ?? .null,
      "in_s": left.map { $0 == .zero ? 0 : JSON(Double($0.milliseconds) / 1_000) } ?? .null,
    ]
  }
}

extension JSON {
  fileprivate var memberList: [(String, JSON)] { (members ?? []).map { ($0.key, $0.value) } }
}
