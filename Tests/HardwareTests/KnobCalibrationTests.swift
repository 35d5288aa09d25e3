import Hardware
import Runtime
import TestSupport
import Testing

@Suite("Finding out how a knob is built")
struct KnobCalibrationTests {
  static let forms = KnobFormsTests.forms.flatMap { form in
    [false, true].map { KnobForm(edges: form.edges, rests: form.rests, isReversed: $0) }
  }

  @Test("is right for every knob that is turned click by click, cleanly or bouncing", arguments: forms)
  func found(form: KnobForm) {
    for wanted in [5, 10] {
      for trace in BouncingKnob.traces {
        for rest in [Duration.milliseconds(120), .milliseconds(600)] {
          let hand = TurningHand(form: form, rest: rest, trace: trace)
          #expect(hand.outcome(clicks: wanted, of: wanted) == .found(form), "\(wanted), \(rest), \(trace)")
        }
      }
    }
  }

  @Test("finds nothing when the knob is turned in one go, however far: it has rested nowhere", arguments: forms)
  func inOneGo(form: KnobForm) {
    for wanted in [5, 10] {
      for clicks in 2...20 {
        for trace in BouncingKnob.traces {
          let swift = TurningHand(form: form, pace: .milliseconds(4), rest: .milliseconds(4), trace: trace)
          let outcome = swift.outcome(clicks: clicks, of: wanted)
          #expect(outcome == .failed(.unclear), "\(clicks) of \(wanted), \(trace)")
        }
      }
    }
  }

  @Test("is right when somebody counts one too few or two too many")
  func nearly() {
    for form in Self.forms {
      for clicks in 9...12 {
        #expect(TurningHand(form: form).outcome(clicks: clicks, of: 10) == .found(form), "\(form), \(clicks)")
      }
    }
  }

  @Test("is right when a slow hand rests between two clicks now and then")
  func slowly() {
    for form in Self.forms where form.edges != .one {
      var edges: [TurningHand.Edge] = []
      var late: Duration = .zero
      for (number, edge) in TurningHand(form: form).edges(clicks: 10).enumerated() {
        if number % (5 * form.edges.rawValue) == 1 { late += .milliseconds(150) }
        edges.append(TurningHand.Edge(at: edge.at + late, contact: edge.contact, closed: edge.closed))
      }
      #expect(TurningHand(form: form).outcome(wanted: 10, edges) == .found(form), "\(form)")
    }
  }

  @Test("is right or says that it is not, whatever bounces, and never finds another knob")
  func bouncing() {
    for (place, form) in Self.forms.enumerated() {
      var found = 0
      for seed in UInt64(1)...20 {
        var generator = SeededGenerator(seed: seed &* 100 + UInt64(place))
        let pace = Duration.milliseconds(Int.random(in: 3...15, using: &generator))
        let rest = Duration.milliseconds(Int.random(in: 100...500, using: &generator))
        var edges: [TurningHand.Edge] = []
        for edge in TurningHand(form: form, pace: pace, rest: rest).edges(clicks: 10) {
          edges.append(edge)
          for (number, time) in BouncingKnob.trace(2_500, using: &generator).enumerated() {
            edges.append(
              TurningHand.Edge(
                at: edge.at + .microseconds(time), contact: edge.contact, closed: (number % 2 == 0) != edge.closed))
          }
        }
        let outcome = TurningHand(form: form).outcome(wanted: 10, edges)
        if case .found(let other) = outcome { #expect(other == form, "seed \(seed)") }
        if case .found = outcome { found += 1 }
      }
      #expect(found >= 18, "\(form) was found \(found) times of 20")
    }
  }

  @Test("says so when nobody turns, after a while and not before")
  func nobody() {
    var calibration = KnobCalibration(detents: 10, first: false, second: false, at: TurningHand.start)
    #expect(calibration.due == TurningHand.start + .seconds(20))
    calibration.settle(by: TurningHand.start + .seconds(19))
    #expect(calibration.outcome == nil)
    calibration.settle(by: TurningHand.start + .seconds(20))
    #expect(calibration.outcome == .failed(.nothing) && calibration.due == nil)
  }

  @Test("names the line of a missing phase, and how it stands", arguments: [Quadrature.Contact.first, .second])
  func silent(contact: Quadrature.Contact) {
    for edges in KnobEdges.allCases {
      for isClosed in [false, true] {
        let hand = TurningHand(form: KnobForm(edges: edges, rests: isClosed ? .both : .open))
        let seen = hand.edges(clicks: 10).filter { $0.contact != contact }
        #expect(hand.outcome(wanted: 10, seen) == .failed(.silent(contact, isClosed: isClosed)), "\(edges)")
        // What such a line hears of its neighbour, for a moment each time.
        let heard = seen.flatMap { edge in
          [
            edge, TurningHand.Edge(at: edge.at + .microseconds(3), contact: contact, closed: !isClosed),
            TurningHand.Edge(at: edge.at + .microseconds(8), contact: contact, closed: isClosed),
          ]
        }
        #expect(hand.outcome(wanted: 10, heard) == .failed(.silent(contact, isClosed: isClosed)), "\(edges), heard")
      }
    }
  }

  @Test("says so when both lines are one")
  func together() {
    let hand = TurningHand(form: KnobForm())
    let edges = hand.edges(clicks: 10).filter { $0.contact == .first }.flatMap { edge in
      [edge, TurningHand.Edge(at: edge.at + .microseconds(12), contact: .second, closed: edge.closed)]
    }
    #expect(hand.outcome(wanted: 10, edges) == .failed(.together))
  }

  @Test("says so when the lines only twitch")
  func bounces() {
    let hand = TurningHand(form: KnobForm())
    let edges = hand.edges(clicks: 3).filter(\.closed).flatMap { edge in
      [edge, TurningHand.Edge(at: edge.at + .microseconds(700), contact: edge.contact, closed: false)]
    }
    #expect(hand.outcome(wanted: 10, edges) == .failed(.bounces))
    #expect(hand.outcome(wanted: 10, edges.filter { $0.contact == .first }) == .failed(.bounces))
  }

  @Test("names a line that swings without end, and stops listening to it")
  func swinging() {
    for contact in [Quadrature.Contact.first, .second] {
      for period in [Duration.microseconds(200), .milliseconds(10)] {
        let hand = TurningHand(form: KnobForm())
        let edges = (0..<5_000).map { number in
          TurningHand.Edge(at: TurningHand.start + period * number, contact: contact, closed: number % 2 == 0)
        }
        #expect(hand.outcome(wanted: 10, edges) == .failed(.swinging(contact)), "\(period)")
      }
    }
    let both = (0..<5_000).map { number in
      TurningHand.Edge(
        at: TurningHand.start + .milliseconds(5 * number), contact: number % 2 == 0 ? .first : .second,
        closed: number % 4 < 2)
    }
    #expect(TurningHand(form: KnobForm()).outcome(wanted: 10, both) == .failed(.swinging(nil)))
  }

  @Test("says how many clicks it saw when they are too few or too many")
  func miscounted() {
    for edges in KnobEdges.allCases {
      let hand = TurningHand(form: KnobForm(edges: edges))
      for clicks in [4, 5, 6, 15, 21] {
        #expect(hand.outcome(clicks: clicks, of: 10) == .failed(.miscounted(clicks, of: 10)), "\(edges), \(clicks)")
      }
    }
  }

  @Test("says so when it is turned to and fro, and when it cannot tell")
  func unclear() {
    let hand = TurningHand(form: KnobForm())
    let there = hand.edges(clicks: 8)
    let last = there.last?.at ?? TurningHand.start
    let back = TurningHand(form: KnobForm(isReversed: true)).edges(clicks: 5).map { edge in
      TurningHand.Edge(at: edge.at + (last - TurningHand.start), contact: edge.contact, closed: edge.closed)
    }
    #expect(hand.outcome(wanted: 10, there + back) == .failed(.toAndFro))
    // Three clicks, a rest and two more are no more telling.
    var edges = TurningHand(form: KnobForm(), pace: .milliseconds(4), rest: .milliseconds(4)).edges(clicks: 5)
    for place in 12..<20 {
      edges[place] = .init(
        at: edges[place].at + .milliseconds(300), contact: edges[place].contact, closed: edges[place].closed)
    }
    #expect(hand.outcome(wanted: 10, edges) == .failed(.unclear))
  }

  @Test("a line that twitches now and then keeps it from no end: after a minute it says what came")
  func twitching() {
    for expected in [KnobTrouble.bounces, .toAndFro] {
      var calibration = KnobCalibration(detents: 10, first: false, second: false, at: TurningHand.start)
      // Both that go to and fro have nothing wrong with their lines.
      var contacts: [Quadrature.Contact] = expected == .bounces ? [.first] : [.first, .second]
      var now = TurningHand.start + .seconds(1)
      var closed = true
      while calibration.outcome == nil, now - TurningHand.start < .seconds(300) {
        for contact in contacts where calibration.outcome == nil {
          while let due = calibration.due, due < now { calibration.settle(by: due) }
          calibration.edge(of: contact, closed: closed, at: now)
          if expected == .bounces { calibration.edge(of: contact, closed: false, at: now + .microseconds(400)) }
          now = now + .milliseconds(900)
        }
        if expected == .toAndFro {
          closed.toggle()
          contacts.reverse()
        }
      }
      #expect(calibration.outcome == .failed(expected))
      #expect(now - TurningHand.start <= .seconds(62), "\((now - TurningHand.start).milliseconds) ms")
    }
  }

  @Test("counts clicks while it is turned, whatever knob it is", arguments: forms)
  func progress(form: KnobForm) {
    let hand = TurningHand(form: form)
    var calibration = KnobCalibration(
      detents: 10, first: hand.levels.first, second: hand.levels.second, at: TurningHand.start)
    #expect(calibration.progress.wanted == 10 && calibration.progress.edges == 0 && calibration.progress.clicks == 0)
    var seen: [Int] = []
    for (number, edge) in hand.edges(clicks: 10).enumerated() {
      while let due = calibration.due, due < edge.at { calibration.settle(by: due) }
      if number % form.edges.rawValue == 0 { seen.append(calibration.progress.clicks) }
      calibration.edge(of: edge.contact, closed: edge.closed, at: edge.at)
      #expect(calibration.progress.edges == number + 1)
    }
    #expect(seen == Array(0..<10))
  }

  @Test("whatever comes, it comes to an end, and remembers no more than it needs")
  func walk() {
    for seed in UInt64(1)...100 {
      var generator = SeededGenerator(seed: seed)
      var calibration = KnobCalibration(detents: 10, first: false, second: true, at: TurningHand.start)
      var now = TurningHand.start
      for _ in 0..<3_000 where calibration.outcome == nil {
        now = now + .microseconds(Int.random(in: 0...20_000, using: &generator))
        switch Int.random(in: 0..<40, using: &generator) {
        case 0: calibration.see(first: Bool.random(using: &generator), second: Bool.random(using: &generator))
        case 1: calibration.lose()
        case 2: calibration.settle(by: now)
        default:
          calibration.edge(
            of: Bool.random(using: &generator) ? .first : .second, closed: Bool.random(using: &generator), at: now)
        }
      }
      while let due = calibration.due { calibration.settle(by: due) }
      #expect(calibration.outcome != nil, "seed \(seed)")
      let outcome = calibration.outcome
      calibration.edge(of: .first, closed: true, at: now + .seconds(60))
      #expect(calibration.outcome == outcome && calibration.due == nil, "seed \(seed)")
    }
  }

  @Test("each trouble has its own words and names its lines")
  func words() {
    let lines = KnobLines(.named("ENC_A"), .named("ENC_B"))
    let rows: [(KnobTrouble, String, String)] = [
      (.nothing, "H-250", "ENC_A or ENC_B"),
      (.silent(.second, isClosed: true), "H-251", "ENC_B of the knob never moves"),
      (.silent(.first, isClosed: false), "H-251", "open all the time"), (.together, "H-252", "always move together"),
      (.bounces, "H-253", "only twitch"), (.swinging(.first), "H-254", "the line ENC_A swings"),
      (.swinging(nil), "H-254", "ENC_A and ENC_B swing"), (.miscounted(4, of: 10), "H-255", "4 clicks"),
      (.toAndFro, "H-256", "both ways"), (.unclear, "H-257", "slowly"),
    ]
    for (trouble, code, words) in rows {
      let fault = trouble.fault(lines)
      #expect(fault.code == code && fault.message.contains(words), "\(fault)")
    }
  }
}
