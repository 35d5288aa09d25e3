import Runtime

/// One file of `Tests/Vectors`: cases whose values belong together. Bytes are hexadecimal.
package struct Vectors: Sendable {
  package struct Case: Sendable {
    fileprivate var values: JSON.Object

    package func text(_ name: String) throws(Fault) -> String {
      guard let text = values[name]?.string else { throw Self.missing(name) }
      return text
    }

    package func number(_ name: String) throws(Fault) -> Int64 {
      guard let number = values[name]?.whole else { throw Self.missing(name) }
      return number
    }

    /// Nil where it says `null`.
    package func optionalNumber(_ name: String) -> Int64? { values[name]?.whole }

    package func bytes(_ name: String) throws(Fault) -> [UInt8] {
      let digits = Array(try text(name).utf8)
      let values = digits.compactMap { digit -> UInt8? in
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
      }
      guard values.count == digits.count, digits.count % 2 == 0 else { throw Self.missing(name) }
      return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }

    private static func missing(_ name: String) -> Fault {
      Fault(.malformed, "T-650", "a vector has no \(name) of its kind")
    }

    /// All that differ in one value: of a number the next; of a text each of its first 128 letters, and then some of them,
    /// is another one.
    fileprivate var changed: [(name: String, changed: Case)] {
      var all: [(name: String, changed: Case)] = []
      func add(_ name: String, _ value: JSON) {
        var other = self
        other.values[name] = value
        all.append((name, other))
      }
      for member in values.members {
        if let number = member.value.whole { add(member.key, JSON(number + 1)) }
        guard let text = member.value.string else { continue }
        let letters = Array(text.utf8)
        for place in letters.indices where place < 128 || place % (letters.count / 64) == 0 {
          var other = letters
          other[place] = letters[place] == UInt8(ascii: "a") ? UInt8(ascii: "b") : UInt8(ascii: "a")
          add(member.key, JSON(String(decoding: other, as: UTF8.self)))
        }
      }
      return all
    }
  }

  package let name: String
  package let cases: [Case]

  private static let tests = FilePath(#filePath).folder.folder

  package init(_ name: String) throws(Fault) {
    let json = try JSON(parsing: AtomicFile.read(Self.tests / "Vectors/\(name).json", limit: 64 << 10))
    self.name = name
    cases = (json["cases"]?.items ?? []).map { Case(values: JSON.Object($0.members?.map { ($0.key, $0.value) } ?? [])) }
    guard !cases.isEmpty else { throw Fault(.malformed, "T-651", "the vectors \(name) have no cases") }
  }

  /// "NAME CASES CHANGES", as the second reader says it; and what was overlooked.
  package func read(_ holds: (Case) throws -> Bool) -> (line: String, overlooked: [String]) {
    var (changes, overlooked) = (0, [String]())
    func isFine(_ one: Case) -> Bool { (try? holds(one)) == true }  // what cannot be read does not hold
    for (number, one) in cases.enumerated() {
      if !isFine(one) { overlooked.append("\(name): case \(number) does not hold") }
      for change in one.changed {
        changes += 1
        if isFine(change.changed) { overlooked.append("\(name): \(change.name) of case \(number) may be changed") }
      }
    }
    return ("\(name) \(cases.count) \(changes)", overlooked)
  }

  /// What a reader in another language, with another library for the ciphers, says of them. It ends with words of its own
  /// where it does not agree.
  package static func secondReader(_ names: [String]) async throws -> String {
    let folder = TempFolder()
    let output = folder.path / "said"
    let words = ["/usr/bin/python3", "\(tests / "lib/second-reader.py")", "vectors", "\(tests / "Vectors")"] + names
    let reader = try ChildProcess(words, in: SpawnOptions(output: output, processGroup: .ownGroup))
    let ended = reader.ended
    let hasEnded = await withCheckedContinuation { continuation in
      do throws(Fault) {
        // Tests run on the language's pool, which is for what does not block.
        try NamedThread.start("waits") {
          continuation.resume(returning: !Readiness.readable([ended], until: .now + .seconds(60)).isEmpty)
        }
      } catch { fatalError("no thread to wait on: \(error)") }
    }
    guard hasEnded else { throw Fault(.passing, "T-652", "the second reader did not end in a minute") }
    let code = reader.reap().code
    let said = String(decoding: try AtomicFile.read(output, limit: 1 << 20), as: UTF8.self)
    return code == 0 ? said : "\(said)ended with \(code)\n"
  }
}
