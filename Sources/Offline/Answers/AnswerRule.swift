import Runtime

/// What is here of a file that is being fetched, and what is known of the whole.
package struct Held: Equatable, Sendable {
  /// Bytes from the beginning that survive a power cut.
  package var durable: Int64 = 0
  /// A strong tag of the version that they belong to.
  package var tag: String?
  package var size: Int64?
  /// The source says so, and not only an answer before.
  package var isSizeSure = false
  package var hasHash = false
  /// A request from here on was answered with 416 that said no length.
  package var refusedFrom: Int64?

  package init(
    durable: Int64 = 0, tag: String? = nil, size: Int64? = nil, isSizeSure: Bool = false, hasHash: Bool = false,
    refusedFrom: Int64? = nil
  ) {
    (self.durable, self.tag, self.size, self.isSizeSure) = (durable, tag, size, isSizeSure)
    (self.hasHash, self.refusedFrom) = (hasHash, refusedFrom)
  }

  /// How to ask for the rest. With a hash, what is put together is judged at the end, and a server that names every
  /// visit's version anew does no harm; without one only the same version's rest will do; and without either only the
  /// whole.
  package var asking: Asked {
    guard durable > 0, hasHash || tag != nil else { return Asked(from: 0) }
    let from = refusedFrom == durable ? durable - 1 : durable
    return Asked(from: from, ifRange: hasHash || from == 0 ? nil : tag)
  }
}

/// From 0 is without a range.
package struct Asked: Equatable, Sendable {
  package var from: Int64
  package var ifRange: String?

  package init(from: Int64, ifRange: String? = nil) {
    self.from = from
    self.ifRange = ifRange
  }
}

/// What an answer means for a file of which something is here already. To put the end of one version to the beginning
/// of another is the worst that can happen; next to it, to fetch the same again and again.
package enum AnswerRule {
  package enum Meaning: Equatable, Sendable {
    /// The body goes on at `at`, behind `skipping` bytes that are here already.
    case append(at: Int64, skipping: Int64)
    /// The body is the whole file: what is here is given up.
    case whole
    /// All is here.
    case verify
    /// What is here is given up, and the whole is asked for.
    case startOver(Trouble)
    /// An answer 416 without a length. What is here is good: ask from one byte earlier, so that the server must state
    /// the length.
    case ask(from: Int64)
    /// The address is refused (401, 403, 410): ask the source for the item's address again.
    case address(Trouble)
    /// All transfers on this network will fare the same.
    case portal
    case again(Trouble, after: Duration?)
    case fail(Trouble)
  }

  package static func meaning(of answer: MediaResponse, to asked: Asked, with held: Held) -> Meaning {
    if answer.status == 511 || (200..<300).contains(answer.status) && answer.isPage { return .portal }
    if answer.contradictsItself { return .again(.nonsense, after: nil) }
    switch answer.status {
    case 200: return whole(answer, held)
    case 206: return part(answer, asked, held)
    case 412: return .startOver(.changed)
    case 416: return beyond(answer, asked, held)
    // Accepted, without content, partial by somebody between us: none of it is a file.
    case 200..<300: return .again(.notMusic, after: answer.retryAfter)
    default: break
    }
    let trouble = Trouble.httpStatus(answer.status)
    switch trouble.remedy {
    case .address: return .address(trouble)
    case .none: return .fail(trouble)
    case .again: return .again(trouble, after: answer.retryAfter)
    case .once, .wait: return .again(.unknown, after: answer.retryAfter)
    }
  }

  private static func whole(_ answer: MediaResponse, _ held: Held) -> Meaning {
    if answer.isEncoded { return .again(.encoded, after: nil) }
    if isNoMusic(answer, of: answer.length, held) { return .again(.notMusic, after: answer.retryAfter) }
    if let length = answer.length {
      if let size = held.size, held.isSizeSure, length != size {
        return .again(.wrongLength, after: answer.retryAfter)
      }
      if length == 0, held.size != 0 { return .again(.notMusic, after: answer.retryAfter) }
    }
    return .whole
  }

  /// Text is none. But what is as long as the file must be, and plain text only because the server has no type for it,
  /// is the file; its hash is looked at as always.
  private static func isNoMusic(_ answer: MediaResponse, of size: Int64?, _ held: Held) -> Bool {
    answer.isOtherText && !(answer.isPlainText && held.isSizeSure && size != nil && size == held.size)
  }

  private static func part(_ answer: MediaResponse, _ asked: Asked, _ held: Held) -> Meaning {
    if answer.isEncoded { return .again(.encoded, after: nil) }
    guard !answer.isInParts, case .part(let first, let last, let total)? = answer.range else {
      return answer.isOtherText ? .again(.notMusic, after: answer.retryAfter) : .startOver(.wrongRange)
    }
    if isNoMusic(answer, of: total, held) { return .again(.notMusic, after: answer.retryAfter) }
    if let length = answer.length, length != last - first + 1 { return .startOver(.wrongRange) }
    if let size = held.size, let total, total != size {
      return held.isSizeSure ? .again(.wrongLength, after: answer.retryAfter) : .startOver(.changed)
    }
    if let size = held.size, last >= size { return .startOver(.changed) }
    // Nothing was here, so nothing can be put together wrongly; else the hash decides, or the tag.
    let beginning = asked.from == 0 ? 0 : held.durable
    if beginning > 0, !held.hasHash {
      guard let tag = answer.tag, !tag.isWeak, tag.text == held.tag else { return .startOver(.changed) }
    }
    if beginning > 0, total == beginning { return .verify }
    guard first <= beginning, last >= beginning else { return .startOver(.wrongRange) }
    if beginning == 0 { return .whole }
    return .append(at: beginning, skipping: beginning - first)
  }

  /// 416 in its three forms: there are as many bytes as are here, or fewer, or the server does not say.
  private static func beyond(_ answer: MediaResponse, _ asked: Asked, _ held: Held) -> Meaning {
    // No range was asked for.
    if asked.from == 0 { return .again(.nonsense, after: answer.retryAfter) }
    guard case .nothing(let total)? = answer.range else {
      // What is known to be shorter than the whole is not worth looking at.
      if held.size.map({ $0 == held.durable }) ?? held.hasHash { return .verify }
      return asked.from == held.durable && held.durable > 1 ? .ask(from: held.durable - 1) : .startOver(.wrongRange)
    }
    if let size = held.size, total != size {
      return held.isSizeSure ? .again(.wrongLength, after: answer.retryAfter) : .startOver(.changed)
    }
    if total == held.durable { return .verify }
    return .startOver(total < held.durable ? .changed : .wrongRange)
  }
}
