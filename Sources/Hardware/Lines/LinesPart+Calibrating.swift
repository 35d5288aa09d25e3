import Runtime

/// What the panel needs to have the knob turned and find out how it is built.
extension LinesPart {
  static let unread = Fault(.passing, "H-258", "the knob's lines cannot be read; the knob is what it was")

  package var isCalibrating: Bool { calibrating != nil }

  /// The form by which the knob is decoded now.
  package var knob: KnobForm { plan.knob }

  /// Begins a calibration: a person turns the knob `detents` clicks clockwise, and meanwhile its edges are no turns.
  /// Buttons work as always. `progress` is called for each click that is seen. `done` is called once: with the knob's
  /// form, which is used from that moment on, or with what is wrong, and then the form before stays. It fails after
  /// some seconds if nobody turns.
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

  /// Ends the calibration without a result. The knob's form stays, and `done` is not called.
  package func stopCalibrating() {
    guard calibrating != nil else { return }
    calibrating = nil
    inputs.shape(plan.knob)
  }

  /// Whether a calibration has found another form than the board's file names.
  package var knobIsLearned: Bool { plan.knob != boardsKnob }

  /// Goes back to the form that the board's file names.
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
