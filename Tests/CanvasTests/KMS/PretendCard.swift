import CLinux
import Glibc
import Runtime

@testable import Canvas

/// A graphics card as the kernel shows it at the edge of its calls: it answers requests, keeps what was made, and shows
/// a frame. What it lies about and where it fails is the test's.
final class PretendCard: CardKernel {
  struct Connector {
    var id: UInt32
    var connection = layby_kms_connected
    var modes: [layby_kms_mode]
    var encoder: UInt32 = 20
    /// Nobody has looked at the wire yet.
    var isUnprobed = false
  }

  var connectors = [Connector(id: 30, modes: [.of(640, 480), .of(800, 480, preferred: true)])]
  /// Encoder to the CRTCs it may be fed by, one bit each.
  var encoders: [UInt32: UInt32] = [20: 0b11]
  var crtcs: [UInt32] = [10, 11]
  var showsMemory = true
  /// What each request is answered with in its place; the n-th of all.
  var refused: [UInt: Int32] = [:]
  var failsAt: Int?
  private(set) var calls = 0
  /// What memory is said to have more or less.
  var strideLie = 0
  var sizeLie = 0

  private var next: UInt32 = 100
  private(set) var memories: [UInt32: (start: UnsafeMutableRawPointer, length: Int, stride: Int)] = [:]
  private(set) var mappings = 0
  private(set) var frames: [UInt32: layby_kms_frame] = [:]
  private(set) var isTaken = false
  /// What is shown, and on what.
  private(set) var shown: (crtc: UInt32, frame: UInt32, mode: layby_kms_mode)?
  private(set) var flipping: layby_kms_flip?
  private(set) var dirty: [layby_kms_clip] = []
  private(set) var modesSet = 0
  private(set) var looks = 0
  private var events: [UInt8] = []

  let number: Int32 = -1

  /// As if a console had been there before.
  func hasConsole(_ mode: layby_kms_mode) { shown = (10, 7, mode) }

  deinit { for memory in memories.values { memory.start.deallocate() } }

  var isClean: Bool { memories.isEmpty && frames.isEmpty && mappings == 0 && !isTaken }

  /// The display has made its next picture.
  func makePicture(telling: Bool = true) {
    guard let flip = flipping else { return }
    flipping = nil
    shown?.frame = flip.frame
    guard telling else { return }
    let event = layby_kms_event(
      type: layby_kms_flipped, length: 32, tag: flip.tag, seconds: 0, microseconds: 0, sequence: 0, crtc: flip.crtc)
    withUnsafeBytes(of: event) { events += $0 }
  }

  /// Foreign events, and those cut short.
  func say(_ bytes: [UInt8]) { events += bytes }

  /// What people see, row after row.
  var picture: [UInt32] {
    guard let shown, let frame = frames[shown.frame], let memory = memories[frame.handle] else { return [] }
    return (0..<Int(frame.height)).flatMap { y in
      (0..<Int(frame.width)).map { x in
        let at = y * memory.stride + x * Int(frame.bits_per_pixel) / 8
        return frame.bits_per_pixel == 16
          ? UInt32(memory.start.loadUnaligned(fromByteOffset: at, as: UInt16.self))
          : memory.start.loadUnaligned(fromByteOffset: at, as: UInt32.self)
      }
    }
  }

  // MARK: The kernel

  func ask(_ request: UInt, _ question: UnsafeMutableRawPointer?) -> Int32 {
    calls += 1
    if calls == failsAt { return EIO }
    if let number = refused[request] { return number }
    switch request {
    case layby_kms_set_master:
      isTaken = true
      return 0
    case layby_kms_drop_master:
      isTaken = false
      return 0
    default: break
    }
    guard let question else { return EFAULT }
    return answer(request, question)
  }

  private func answer(_ request: UInt, _ question: UnsafeMutableRawPointer) -> Int32 {
    func of<Kind>(_: Kind.Type) -> UnsafeMutablePointer<Kind> { question.assumingMemoryBound(to: Kind.self) }
    switch request {
    case layby_kms_get_capability:
      of(layby_kms_capability.self).pointee.value = showsMemory ? 1 : 0
      return 0
    case layby_kms_get_resources: return tellResources(of(layby_kms_resources.self))
    case layby_kms_get_connector: return tellConnector(of(layby_kms_connector.self))
    case layby_kms_get_encoder: return tellEncoder(of(layby_kms_encoder.self))
    case layby_kms_get_crtc: return tellCRTC(of(layby_kms_crtc.self))
    case layby_kms_set_crtc: return setCRTC(of(layby_kms_crtc.self))
    case layby_kms_make_memory: return make(of(layby_kms_new_memory.self))
    case layby_kms_free_memory:
      return memories.removeValue(forKey: of(UInt32.self).pointee).map { $0.start.deallocate() } == nil ? ENOENT : 0
    case layby_kms_map_memory:
      let map = of(layby_kms_map.self)
      map.pointee.offset = UInt64(map.pointee.handle) << 12
      return memories[map.pointee.handle] == nil ? ENOENT : 0
    case layby_kms_add_frame:
      let frame = of(layby_kms_frame.self)
      if let number = refused[UInt(frame.pointee.bits_per_pixel)] { return number }
      next += 1
      frame.pointee.id = next
      frames[next] = frame.pointee
      return 0
    case layby_kms_remove_frame:
      let id = of(UInt32.self).pointee
      if shown?.frame == id { shown = nil }
      return frames.removeValue(forKey: id) == nil ? ENOENT : 0
    case layby_kms_page_flip:
      if flipping != nil { return EBUSY }
      flipping = of(layby_kms_flip.self).pointee
      return 0
    case layby_kms_mark_dirty:
      let list = of(layby_kms_dirty.self).pointee
      let clips = UnsafePointer<layby_kms_clip>(bitPattern: UInt(list.clips))
      for index in 0..<Int(list.clip_count) { if let clip = clips?[index] { dirty.append(clip) } }
      return 0
    default: return ENOTTY
    }
  }

  /// As the kernel does it: what there is room for, and how many there are.
  private func fill<Element>(_ address: UInt64, _ room: inout UInt32, _ list: [Element]) {
    let target = UnsafeMutablePointer<Element>(bitPattern: UInt(address))
    for (index, element) in list.enumerated() where index < Int(room) { target?[index] = element }
    room = UInt32(list.count)
  }

  private func tellResources(_ answer: UnsafeMutablePointer<layby_kms_resources>) -> Int32 {
    fill(answer.pointee.crtc_ids, &answer.pointee.crtc_count, crtcs)
    fill(answer.pointee.connector_ids, &answer.pointee.connector_count, connectors.map(\.id))
    return 0
  }

  private func tellConnector(_ answer: UnsafeMutablePointer<layby_kms_connector>) -> Int32 {
    guard let index = connectors.firstIndex(where: { $0.id == answer.pointee.id }) else { return ENOENT }
    if answer.pointee.mode_count == 0 {
      looks += 1
      connectors[index].isUnprobed = false
    }
    let connector = connectors[index]
    answer.pointee.connection = connector.isUnprobed ? 3 : connector.connection
    answer.pointee.encoder = connector.encoder
    let modes = connector.isUnprobed || connector.connection == layby_kms_disconnected ? [] : connector.modes
    // A list that does not fit is not begun.
    let room = answer.pointee.mode_count
    answer.pointee.mode_count = Int(room) >= modes.count ? room : 0
    fill(answer.pointee.modes, &answer.pointee.mode_count, modes)
    fill(answer.pointee.encoder_ids, &answer.pointee.encoder_count, Array(encoders.keys.sorted()))
    return 0
  }

  private func tellEncoder(_ answer: UnsafeMutablePointer<layby_kms_encoder>) -> Int32 {
    guard let possible = encoders[answer.pointee.id] else { return ENOENT }
    (answer.pointee.possible_crtcs, answer.pointee.crtc) = (possible, shown?.crtc ?? 0)
    return 0
  }

  private func tellCRTC(_ answer: UnsafeMutablePointer<layby_kms_crtc>) -> Int32 {
    if let shown, shown.crtc == answer.pointee.id {
      (answer.pointee.buffer, answer.pointee.is_mode_valid, answer.pointee.mode) = (shown.frame, 1, shown.mode)
    }
    return crtcs.contains(answer.pointee.id) ? 0 : ENOENT
  }

  private func setCRTC(_ wanted: UnsafeMutablePointer<layby_kms_crtc>) -> Int32 {
    modesSet += 1
    flipping = nil
    shown = (wanted.pointee.id, wanted.pointee.buffer, wanted.pointee.mode)
    return 0
  }

  private func make(_ memory: UnsafeMutablePointer<layby_kms_new_memory>) -> Int32 {
    let stride = (Int(memory.pointee.width * memory.pointee.bits_per_pixel / 8) + 63) / 64 * 64
    let length = stride * Int(memory.pointee.height)
    next += 1
    let start = UnsafeMutableRawPointer.allocate(byteCount: length, alignment: 64)
    start.initializeMemory(as: UInt8.self, repeating: 0, count: length)
    memories[next] = (start, length, stride)
    memory.pointee.handle = next
    memory.pointee.stride = UInt32(stride + strideLie)
    memory.pointee.size = UInt64(length + sizeLie)
    return 0
  }

  func map(at offset: UInt64, length: Int) -> UnsafeMutableRawPointer? {
    calls += 1
    guard let memory = memories[UInt32(offset >> 12)], length <= memory.length, calls != failsAt else {
      errno = EINVAL
      return nil
    }
    mappings += 1
    return memory.start
  }

  func unmap(_ memory: UnsafeMutableRawPointer, length: Int) { mappings -= 1 }

  func read(into space: UnsafeMutableRawBufferPointer) -> Int {
    guard !events.isEmpty else { return -1 }
    let count = min(space.count, events.count)
    space.copyBytes(from: events.prefix(count))
    events.removeFirst(count)
    return count
  }
}

extension layby_kms_mode {
  static func of(_ width: UInt16, _ height: UInt16, preferred: Bool = false) -> layby_kms_mode {
    var mode = layby_kms_mode()
    (mode.width, mode.height, mode.type) = (width, height, preferred ? layby_kms_preferred : 0)
    return mode
  }
}
