import Runtime

extension LinesPart {
  /// A group of wires, and where its lines are.
  private struct Found {
    let group: [Int]
    let places: [LineDirectory.Location]
  }

  /// Opens what can be opened: all lines of one chip in one request, or, when that is refused, each group alone, so
  /// that one bad line does not keep the others.
  func openMissing(_ group: borrowing DescriptorGroup) {
    guard !missing.isEmpty else { return }
    let directory = source.directory()
    var faults: [(group: [Int], fault: Fault)] = []
    var found: [Found] = []
    var used = Set(
      opened.flatMap { request in
        request.wireAt.keys.map { LineDirectory.Location(chip: request.chip, offset: $0) }
      })
    for wires in missing {
      do throws(Fault) {
        let places = try find(wires, in: directory, used: used)
        used.formUnion(places)
        found.append(Found(group: wires, places: places))
      } catch { faults.append((wires, error)) }
    }
    var chips: [FilePath] = []
    for chip in found.map(\.places[0].chip) where !chips.contains(chip) { chips.append(chip) }
    // The ignition in a request of its own: a request has one bias and one polarity.
    for (chip, isIgnition) in chips.flatMap({ [($0, false), ($0, true)] }) {
      let wanted = found.filter { $0.places[0].chip == chip && isOfIgnition($0.group) == isIgnition }
      // If they are refused together, each is tried alone, which shows which one it was and why.
      if wanted.count > 1, (try? open(wanted, group)) != nil { continue }
      for one in wanted {
        do throws(Fault) { try open([one], group) } catch { faults.append((one.group, error)) }
      }
    }
    report(faults)
  }

  private func isOfIgnition(_ wires: [Int]) -> Bool { wires.contains { plan.wires[$0].role == .ignition } }

  private func find(
    _ wires: [Int], in directory: LineDirectory, used: Set<LineDirectory.Location>
  ) throws(Fault) -> [LineDirectory.Location] {
    var places: [LineDirectory.Location] = []
    for wire in wires {
      let name = plan.wires[wire].name
      let place = try directory.find(name)
      if used.contains(place) || places.contains(place) {
        throw Fault(
          .malformed, "H-213", "the board's file gives the line \(name) twice; \(plan.wires[wire].role) goes without")
      }
      if let holder = directory[place]?.holder { throw .taken(plan.wires[wire], by: holder) }
      places.append(place)
    }
    guard Set(places.map(\.chip)).count == 1 else {
      throw Fault(.unsupported, "H-214", "the knob's two lines are on two chips; their edges would come in no order")
    }
    return places
  }

  private func open(_ found: [Found], _ group: borrowing DescriptorGroup) throws(Fault) {
    guard let chip = found.first?.places.first?.chip else { return }
    let wires = found.flatMap(\.group)
    let offsets = found.flatMap { $0.places.map(\.offset) }
    let isIgnition = isOfIgnition(wires)
    let wish = LineWish(
      chip: chip, offsets: offsets, debounce: wires.map { plan.debounce(of: $0) },
      bias: isIgnition ? plan.ignitionBias : plan.bias,
      activeLow: isIgnition ? plan.ignitionActiveLow : plan.activeLow)
    let lines = try source.open(wish)
    let levels = try lines.levels()
    var added: [Int32] = []
    do throws(Fault) {
      for descriptor in lines.descriptors {
        try group.add(descriptor, code: "H-211")
        added.append(descriptor)
      }
    } catch {
      for descriptor in added { group.remove(descriptor) }
      throw error
    }
    inputs.begin(
      Dictionary(zip(wires, levels), uniquingKeysWith: { first, _ in first }), debounced: lines.countsAndDebounces,
      at: MainLoop.loop.now)
    opened.append(
      Request(
        lines: lines, chip: chip, groups: found.map(\.group), wires: wires,
        wireAt: Dictionary(zip(offsets, wires), uniquingKeysWith: { first, _ in first })))
    missing.removeAll { group in found.contains { $0.group == group } }
    let names = wires.map { plan.wires[$0].name.description }.joined(separator: ", ")
    log.notice("lines are open", ["chip": chip, "lines": names])
  }

  /// Tells each fault once, and again only if it was over in between.
  private func report(_ faults: [(group: [Int], fault: Fault)]) {
    let known = told
    told = Dictionary(faults.map { ($0.group, $0.fault) }, uniquingKeysWith: { first, _ in first })
    var new: [Fault] = []
    for (group, fault) in faults where known[group] != fault && !known.values.contains(fault) && !new.contains(fault) {
      new.append(fault)
    }
    for fault in new { tell(fault) }
  }
}
