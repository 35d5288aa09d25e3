internal import CLinux
import Glibc
import Runtime

/// The questions that a graphics card is asked, each with its fault. All lists are bounded: a card that has more of
/// anything is believed for the first of it.
struct Card {
  let kernel: any CardKernel
  let device: FilePath

  private static let most = 64
  private static let mostModes = 512

  private func ask<Question>(_ request: UInt, _ question: inout Question) -> Int32 {
    withUnsafeMutablePointer(to: &question) { kernel.ask(request, $0) }
  }

  private func fault(_ code: String, _ doing: String, _ number: Int32) -> Fault {
    switch number {
    // What a driver refuses now it may take with another display.
    case EINVAL, ERANGE: Fault(.passing, code, "cannot \(doing): \(Fault.describe(number))")
    case EACCES, EPERM: somebodyElse
    default: Fault.system(code, doing: doing, errno: number)
    }
  }

  private var somebodyElse: Fault {
    Fault(
      .busy, "K-152",
      "cannot draw on \(device): another program has it, a desktop or the picture of the start; it must end first")
  }

  private var noPictures: Fault {
    Fault(.unsupported, "K-151", "cannot draw on \(device): it shows no pictures that a processor has drawn")
  }

  /// From now on this program alone says what is shown.
  func take() throws(Fault) {
    var memory = layby_kms_capability(name: layby_kms_simple_memory, value: 0)
    switch ask(layby_kms_get_capability, &memory) {
    case 0 where memory.value != 0: break
    case ENODEV: throw fault("K-158", "take over \(device)", ENODEV)
    default: throw noPictures
    }
    switch kernel.ask(layby_kms_set_master, nil) {
    case 0: return
    case EBUSY: throw somebodyElse
    case let number: throw fault("K-158", "take over \(device)", number)
    }
  }

  func giveBack() { _ = kernel.ask(layby_kms_drop_master, nil) }

  func outputs() throws(Fault) -> CardOutputs {
    var crtcs = [UInt32](repeating: 0, count: Self.most)
    var connectors = crtcs
    var resources = layby_kms_resources()
    let number = crtcs.withUnsafeMutableBufferPointer { crtcs in
      connectors.withUnsafeMutableBufferPointer { connectors in
        (resources.crtc_ids, resources.crtc_count) = (address(crtcs.baseAddress), UInt32(Self.most))
        (resources.connector_ids, resources.connector_count) = (address(connectors.baseAddress), UInt32(Self.most))
        return ask(layby_kms_get_resources, &resources)
      }
    }
    switch number {
    case 0: break
    // A card that only computes.
    case EOPNOTSUPP, EINVAL, ENOTTY, ENOSYS: throw noPictures
    default: throw fault("K-158", "take over \(device)", number)
    }
    var outputs = CardOutputs(
      crtcs: Array(crtcs.prefix(Int(resources.crtc_count))), connectors: [], encoders: [:])
    for id in connectors.prefix(Int(resources.connector_count)) {
      // One may go while it is asked.
      guard var found = try connector(id) else { continue }
      if found.connection != layby_kms_connected || found.modes.isEmpty {
        guard let probed = try connector(id, probing: true) else { continue }
        found = probed
      }
      for id in found.encoders where outputs.encoders[id] == nil {
        var encoder = layby_kms_encoder()
        encoder.id = id
        if ask(layby_kms_get_encoder, &encoder) == 0 {
          outputs.encoders[id] = .init(crtc: encoder.crtc, possible: encoder.possible_crtcs)
        }
      }
      outputs.connectors.append(found)
    }
    return outputs
  }

  /// Nil when there is no such connector any more. Probing talks to what is plugged in, which takes its time; without
  /// it the kernel says what it knows.
  func connector(_ id: UInt32, probing: Bool = false) throws(Fault) -> CardOutputs.Connector? {
    if probing {
      // To have no room for modes is to ask for a look at the wire.
      var look = layby_kms_connector()
      look.id = id
      _ = ask(layby_kms_get_connector, &look)
    }
    var modes = [layby_kms_mode](repeating: layby_kms_mode(), count: Self.mostModes)
    var encoders = [UInt32](repeating: 0, count: Self.most)
    var answer = layby_kms_connector()
    let number = modes.withUnsafeMutableBufferPointer { modes in
      encoders.withUnsafeMutableBufferPointer { encoders in
        answer.id = id
        (answer.modes, answer.mode_count) = (address(modes.baseAddress), UInt32(Self.mostModes))
        (answer.encoder_ids, answer.encoder_count) = (address(encoders.baseAddress), UInt32(Self.most))
        return ask(layby_kms_get_connector, &answer)
      }
    }
    if number == ENOENT { return nil }
    guard number == 0 else { throw fault("K-157", "ask \(device) whether its display is there", number) }
    // The kernel fills in a list that fits, or none of it.
    let fits = Int(answer.mode_count) <= Self.mostModes
    var order = answer.encoder_count <= UInt32(Self.most) ? Array(encoders.prefix(Int(answer.encoder_count))) : []
    if let current = order.firstIndex(of: answer.encoder) { order.swapAt(0, current) }
    return CardOutputs.Connector(
      id: id, connection: answer.connection, modes: fits ? Array(modes.prefix(Int(answer.mode_count))) : [],
      encoders: order)
  }

  /// Whether what was plugged in still is, without a look at the wire.
  func expectConnected(_ connector: UInt32) throws(Fault) {
    guard let state = try connection(of: connector), state != layby_kms_disconnected else { throw nothingThere }
  }

  var nothingThere: Fault { Fault(.missing, "K-153", "no display is plugged in at \(device)") }

  private func connection(of id: UInt32) throws(Fault) -> UInt32? {
    var mode = layby_kms_mode()
    var answer = layby_kms_connector()
    let number = withUnsafeMutablePointer(to: &mode) { mode in
      answer.id = id
      // Room for one: not none, which would be a look at the wire.
      (answer.modes, answer.mode_count) = (address(mode), 1)
      return ask(layby_kms_get_connector, &answer)
    }
    if number == ENOENT { return nil }
    guard number == 0 else { throw fault("K-157", "ask \(device) whether its display is there", number) }
    return answer.connection
  }

  /// What is shown now; nil for nothing.
  func shown(on crtc: UInt32) -> layby_kms_crtc? {
    var answer = layby_kms_crtc()
    answer.id = crtc
    guard ask(layby_kms_get_crtc, &answer) == 0, answer.is_mode_valid != 0, answer.buffer != 0 else { return nil }
    return answer
  }

  func show(_ frame: UInt32, _ choice: CardOutputs.Choice) throws(Fault) {
    var wanted = layby_kms_crtc()
    (wanted.id, wanted.buffer, wanted.is_mode_valid, wanted.mode) = (choice.crtc, frame, 1, choice.mode)
    try show(wanted, on: choice.connector)
  }

  func show(_ wanted: layby_kms_crtc, on connector: UInt32) throws(Fault) {
    var connector = connector
    var wanted = wanted
    let number = withUnsafeMutablePointer(to: &connector) { connector in
      (wanted.connector_ids, wanted.connector_count) = (address(connector), 1)
      return ask(layby_kms_set_crtc, &wanted)
    }
    guard number == 0 else {
      throw fault("K-156", "set \(device) to \(wanted.mode.width) x \(wanted.mode.height)", number)
    }
  }

  /// The frame is shown from the next picture of the display on; 0, or the errno.
  func flip(_ crtc: UInt32, to frame: UInt32, tag: UInt64) -> Int32 {
    var flip = layby_kms_flip(crtc: crtc, frame: frame, flags: layby_kms_tell, reserved: 0, tag: tag)
    return ask(layby_kms_page_flip, &flip)
  }

  /// What of a frame that is shown was drawn anew; 0, or the errno.
  func markDirty(_ frame: UInt32, _ rects: [Rect]) -> Int32 {
    var clips = rects.prefix(Self.most).map {
      layby_kms_clip(
        left: UInt16(clamping: $0.x), top: UInt16(clamping: $0.y), right: UInt16(clamping: $0.right),
        bottom: UInt16(clamping: $0.bottom))
    }
    let count = UInt32(clips.count)
    return clips.withUnsafeMutableBufferPointer { clips in
      var dirty = layby_kms_dirty(
        frame: frame, flags: 0, colour: 0, clip_count: count, clips: address(clips.baseAddress))
      return ask(layby_kms_mark_dirty, &dirty)
    }
  }

  /// The tags of the flips that were done since the last time.
  func doneFlips() -> [UInt64] {
    var tags: [UInt64] = []
    withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 8) { space in
      let length = min(kernel.read(into: space), space.count)
      var at = 0
      while at + 8 <= length {
        let size = Int(space.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self))
        guard size >= 8, at + size <= length else { return }
        if space.loadUnaligned(fromByteOffset: at, as: UInt32.self) == layby_kms_flipped, size >= 16 {
          tags.append(space.loadUnaligned(fromByteOffset: at + 8, as: UInt64.self))
        }
        at += size
      }
    }
    return tags
  }

  func flipFault(_ number: Int32) -> Fault { fault("K-157", "show the next picture on \(device)", number) }

  // MARK: Memory

  func makeMemory(_ size: Size, bitsPerPixel: UInt32) throws(Fault) -> layby_kms_new_memory {
    var memory = layby_kms_new_memory()
    (memory.width, memory.height) = (UInt32(size.width), UInt32(size.height))
    memory.bits_per_pixel = bitsPerPixel
    let number = ask(layby_kms_make_memory, &memory)
    guard number == 0 else {
      throw fault("K-155", "get memory for \(size.width) x \(size.height) of \(device)", number)
    }
    return memory
  }

  func freeMemory(_ handle: UInt32) {
    var handle = handle
    _ = ask(layby_kms_free_memory, &handle)
  }

  func addFrame(_ memory: layby_kms_new_memory, depth: UInt32) throws(Fault) -> UInt32 {
    var frame = layby_kms_frame(
      id: 0, width: memory.width, height: memory.height, stride: memory.stride,
      bits_per_pixel: memory.bits_per_pixel, depth: depth, handle: memory.handle)
    let number = ask(layby_kms_add_frame, &frame)
    guard number == 0 else {
      throw fault("K-155", "have \(memory.bits_per_pixel) bits a pixel shown by \(device)", number)
    }
    return frame.id
  }

  func removeFrame(_ id: UInt32) {
    var id = id
    _ = ask(layby_kms_remove_frame, &id)
  }

  func map(_ handle: UInt32, length: Int) throws(Fault) -> UnsafeMutableRawPointer {
    var question = layby_kms_map(handle: handle, padding: 0, offset: 0)
    let number = ask(layby_kms_map_memory, &question)
    guard number == 0 else { throw fault("K-155", "reach the memory of \(device)", number) }
    guard let start = kernel.map(at: question.offset, length: length) else {
      throw fault("K-155", "reach the memory of \(device)", errno)
    }
    return start
  }

  private func address<Pointee>(_ pointer: UnsafeMutablePointer<Pointee>?) -> UInt64 {
    UInt64(UInt(bitPattern: pointer))
  }
}
