import Application
import Library
import Runtime

/// `copy`: music to the device.
extension LibraryVerbs {
  /// `copy [plan] PATH...|album ID|playlist ID ...` begins, and does not wait for the end; `copy` alone tells how
  /// far it is.
  func copy(_ arguments: [JSON], _ verb: Verb) async throws(Fault) -> JSON {
    var words = arguments[...]
    if words.count == 1, words.first?.string == "stop" {
      await importing.stopCopying()
      return copyState
    }
    let isPlan = words.first?.string == "plan"
    if isPlan { words = words.dropFirst() }
    if isPlan && words.isEmpty { throw verb.wrong("nothing was named") }
    if let (kind, id) = Self.listed(words) {
      try await importing.copy(kind, id, isPlan: isPlan)
      return copyState
    }
    let paths = words.compactMap(\.path)
    guard paths.count == words.count, paths.allSatisfy(\.isAbsolute) else {
      throw verb.wrong("expected folders or files, from / on, or an album, an artist, a playlist ... by its ID")
    }
    if !paths.isEmpty { try await importing.copy(paths, isPlan: isPlan) }
    return copyState
  }

  private static func listed(_ words: ArraySlice<JSON>) -> (Importing.CopiedKind, Int64)? {
    guard words.count == 2, let kind = words.first?.string.flatMap(Importing.CopiedKind.init),
      let id = words.last?.number
    else { return nil }
    return (kind, Int64(id))
  }

  // MARK: How far it is

  private var copyState: JSON {
    let state = importing.copyState
    let away = state.away.map { wish -> JSON in
      ["label": JSON(wish.from.label), "from": JSON(path: wish.from.root)]
    }
    var members: [(String, JSON)] = [("running", JSON(state.isRunning)), ("waiting", JSON(state.waiting))]
    if let progress = state.progress { members.append(("copy", shown(progress, before: state.lastSpeed))) }
    if let failures = state.progress?.failures, !failures.isEmpty {
      let told = failures.map { failure -> JSON in
        [
          "path": JSON(path: failure.path), "code": JSON(failure.fault.code), "message": JSON(failure.fault.message),
        ]
      }
      members.append(("failures", .list(told)))
    }
    if !away.isEmpty { members.append(("away", .list(away))) }
    if let fault = state.fault {
      members.append(
        (
          "fault",
          ["code": JSON(fault.code), "kind": JSON(fault.kind.rawValue), "message": JSON(fault.message)]
        ))
    }
    return Response.done(members)
  }

  private func shown(_ progress: CopyProgress, before speed: Double?) -> JSON {
    let now = MainLoop.loop.now
    var members: [(String, JSON)] = [
      ("from", JSON(path: progress.from)), ("to", JSON(path: progress.to)), ("phase", JSON(progress.phase.rawValue)),
      ("files", JSON(progress.files)), ("of", JSON(progress.of)), ("bytes", JSON(progress.bytes)),
      ("of_bytes", JSON(progress.ofBytes)), ("there", JSON(progress.there)), ("failed", JSON(progress.failed)),
      ("left_out", JSON(progress.leftOut)), ("needed", JSON(progress.needed)),
      ("free", JSON(progress.space.free)), ("reserve", JSON(progress.space.reserve)), ("fits", JSON(progress.fits)),
    ]
    if let speed = progress.speed(at: now) { members.append(("bytes_s", JSON(Int64(speed)))) }
    if let left = progress.left(at: now, before: speed) {
      members.append(("left_s", JSON(left.components.seconds)))
    }
    if let path = progress.now { members.append(("now", JSON(path: path))) }
    return .object(JSON.Object(members))
  }
}
