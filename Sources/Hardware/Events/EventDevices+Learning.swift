import Runtime

/// What the panel needs to show and change what keys mean.
extension EventDevices {
  /// The next key without a meaning that goes down on any device is given to `take`, once. Those that have one go on
  /// doing what they do, so that whoever changes their mind can go back. Devices that were of no use are read meanwhile.
  package func learn(_ take: @escaping @MainLoop (KeyName) -> Void) {
    learner = take
    lookAgain()
  }

  package func stopLearning() {
    guard learner != nil else { return }
    learner = nil
    lookAgain()
  }

  /// Whether its keys are read.
  package func reads(_ path: FilePath) -> Bool { devices[path] != nil }

  package var isLearning: Bool { learner != nil }

  /// From now on it means that, on every device, and after the next start too.
  package func bind(_ key: KeyName, to meaning: KeyMeaning) { change { $0.bind(key, to: meaning) } }

  package func unbind(_ key: KeyName) { change { $0.unbind(key) } }

  package func forget(_ key: KeyName) { change { $0.forget(key) } }

  private func change(_ body: (inout KeyMap) -> Void) {
    var new = map
    body(&new)
    guard new != map else { return }
    map = new
    lookAgain()
    mapHasChanged?(new)
  }

  func learn(_ key: KeyName, from device: EventDevice) {
    guard let learner else { return }
    log.notice("a key is learned", ["key": key, "path": device.path, "label": device.label])
    self.learner = nil
    lookAgain()
    learner(key)
  }
}
