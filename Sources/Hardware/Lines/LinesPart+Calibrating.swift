import Runtime

/// What the panel needs to have the knob turned and find out how it is built.
extension LinesPart {
  static let unread = Fault(.passing, "H-258", "the knob's lines cannot be read; the knob is what it was")

  package var isCalibrating: Bool { calibrating != nil }

  /// As it is meant to be built now.
  package var knob: KnobForm { plan.knob }

  /// From now on the knob's edges turn nothing, while a person turns it `detents` clicks clockwise; buttons do what they
  /// always do. `progress` hears of each that is seen, `done` once how the knob is built, which counts from that moment
  /// on, or what is wrong, and then it is what it was. Nobody turns: that is told after some seconds.
  package func calibrate(
    _ detents: Int = 10, progress: @escaping @MainLoop (KnobCalibration.Progress) -> Void,
    done: @escaping @MainLoop (Result<KnobForm, Fault>) -> Void
  ) {
    stopCalibrating()
    guard inputs.calibrate(detents, at: MainLoop.loop.now) else { return done(.failure(Self.unread)) }
    log.notice("the knob is looked at")
    calibrating = Calibrating(progress: progress, done: done)
    bell?.ring()
  }

  /// The knob is what it was; `done` hears nothing.
  package func stopCalibrating() {
    guard calibrating != nil else { return }
    calibrating = nil
    inputs.shape(plan.knob)
  }

  /// Whether it is what it was found to be, and not what the board's file says.
  package var knobIsLearned: Bool { plan.knob != boardsKnob }

  /// It is what the board's file says again.
  package func forgetKnob() {
    stopCalibrating()
    shape(boardsKnob)
    knobHasChanged?(nil)
  }

  func tellCalibration() {
    guard let calibration = inputs.calibration, let calibrating else { return }
    if calibrating.told != calibration.progress {
      self.calibrating?.told = calibration.progress
      calibrating.progress(calibration.progress)
    }
    switch (calibration.outcome, plan.knobLines) {
    case (.found(let form)?, _): endCalibration(.success(form))
    case (.failed(let trouble)?, let lines?): endCalibration(.failure(trouble.fault(lines)))
    default: break
    }
  }

  func endCalibration(_ result: Result<KnobForm, Fault>) {
    guard let calibrating else { return }
    self.calibrating = nil
    switch result {
    case .success(let form):
      log.notice(
        "the knob is known", ["edges": form.edges.rawValue, "rests": "\(form.rests)", "reversed": form.isReversed])
      shape(form)
      knobHasChanged?(form)
    case .failure(let fault):
      log.notice("the knob is not known", ["code": fault.code, "reason": fault.message])
      inputs.shape(plan.knob)
    }
    calibrating.done(result)
  }
}
