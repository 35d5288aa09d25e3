internal import CAV

/// Owns the library's decoder of one stream and the frame that it fills.
final class SampleDecoder {
  let context: UnsafeMutablePointer<AVCodecContext>
  let frame: UnsafeMutablePointer<AVFrame>
  private let packet: UnsafeMutablePointer<AVPacket>

  init(_ container: Container) throws(Refusal) {
    let parameters = container.stream.pointee.codecpar
    guard let parameters, let codec = avcodec_find_decoder(parameters.pointee.codec_id) else {
      throw Refusal(.unplayable, "its sound is of a kind that nothing here decodes")
    }
    var made = avcodec_alloc_context3(codec)
    var frame = av_frame_alloc()
    var packet = av_packet_alloc()
    guard let context = made, let frameMade = frame, let packetMade = packet,
      avcodec_parameters_to_context(context, parameters) >= 0
    else {
      avcodec_free_context(&made)
      av_frame_free(&frame)
      av_packet_free(&packet)
      throw Refusal(.unplayable, "no memory")
    }
    context.pointee.thread_count = 1
    context.pointee.pkt_timebase = container.stream.pointee.time_base
    context.pointee.codec_whitelist = av_strdup(Known.decoders)
    guard avcodec_open2(context, codec, nil) == 0 else {
      avcodec_free_context(&made)
      av_frame_free(&frame)
      av_packet_free(&packet)
      throw Refusal(
        .unplayable, "its sound is of a kind that nothing here decodes (\(String(cString: codec.pointee.name)))")
    }
    self.context = context
    self.frame = frameMade
    self.packet = packetMade
  }

  deinit {
    var (context, frame, packet) = (Optional(context), Optional(frame), Optional(packet))
    avcodec_free_context(&context)
    av_frame_free(&frame)
    av_packet_free(&packet)
  }

  enum Step { case samples, nothing, broken, end }

  /// One step on the way to the next samples, which are then in `frame`.
  func step(_ container: Container) -> Step {
    let given = avcodec_receive_frame(context, frame)
    if given == 0 { return frame.pointee.nb_samples > 0 ? .samples : .nothing }
    if given == layby_av_end { return .end }
    if given != layby_av_again { return .broken }
    let read = av_read_frame(container.context, packet)
    if read == layby_av_again { return .nothing }
    guard read >= 0 else {
      // What is still inside comes out.
      return avcodec_send_packet(context, nil) == 0 ? (read == layby_av_end ? .nothing : .broken) : .end
    }
    defer { av_packet_unref(packet) }
    guard packet.pointee.stream_index == container.stream.pointee.index else { return .nothing }
    return avcodec_send_packet(context, packet) == 0 ? .nothing : .broken
  }

  func forget() { avcodec_flush_buffers(context) }
}
