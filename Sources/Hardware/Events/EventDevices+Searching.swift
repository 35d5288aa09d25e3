import Runtime

extension EventDevices {
  func search(_ group: borrowing DescriptorGroup) {
    nextSearch = nil
    let names: [FilePath]
    // No folder: no device was ever there. The watch tells when it comes.
    do throws(Fault) { names = try Folder.names(in: folder) } catch { names = [] }
    let paths = names.filter { $0.bytes.starts(with: "event".utf8) }.map { folder / $0.description }
    firstSeen = firstSeen.filter { paths.contains($0.key) }
    told.formIntersection(paths)
    untouched.formIntersection(paths)
    for device in devices.values where !wants(device) {
      close(device, group)
      passedOver.insert(device.path)
    }
    for path in paths where !passedOver.contains(path) && devices.count < Self.most {
      guard untouched.contains(path) || devices[path] == nil else { continue }
      do throws(Fault) { try add(try open(path), group) } catch { failed(path, error) }
    }
  }

  /// Whoever learns a key wants all that have one.
  private func wants(_ device: EventDevice) -> Bool {
    map.isUseful(keys: device.keys, axes: device.axes) || learner != nil && device.canTeach
  }

  private func add(_ device: EventDevice, _ group: borrowing DescriptorGroup) throws(Fault) {
    if devices[device.path] == nil, wants(device) {
      try group.add(device.number, code: "H-222")
      devices[device.path] = device
      log.notice("a device is read", ["path": device.path, "label": device.label])
    }
    if device.isTouchScreen, !isWithoutTouch, !touch.has(device.path) {
      untouched.insert(device.path)
      try addTouch(device, group)
      untouched.remove(device.path)
    }
    if devices[device.path] == nil { passedOver.insert(device.path) }
  }

  private func addTouch(_ device: EventDevice, _ group: borrowing DescriptorGroup) throws(Fault) {
    do throws(Fault) { try touch.add(device, group) } catch {
      guard error.kind == .unsupported else { throw error }
      // The library is not installed, so no touch screen will work in this run. That is reported once.
      isWithoutTouch = true
      tell(error)
    }
  }

  private func failed(_ path: FilePath, _ fault: Fault) {
    let now = MainLoop.loop.now
    let since = firstSeen[path] ?? now
    firstSeen[path] = since
    guard now - since >= Self.patience else {
      nextSearch = min(nextSearch ?? .init(nanoseconds: .max), since + Self.patience)
      return
    }
    passedOver.insert(path)
    guard told.insert(path).inserted else { return }
    // People are told of the first device only; the log has all of them.
    log.info("a device cannot be read", ["path": path, "reason": fault.message])
    guard told.count == 1 else { return }
    tell(
      fault.kind == .denied
        ? Fault(
          .denied, "H-224", "\(path) may not be read, so its keys do nothing; the user belongs into the group input")
        : fault)
  }
}
