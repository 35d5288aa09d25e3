import HTTP

extension Trouble {
  /// What a transfer says. `isClockSet`: else a certificate that is not valid today says more of the clock than of the
  /// server.
  package init(_ trouble: TransferTrouble, isClockSet: Bool) {
    self =
      switch trouble {
      case .noName: .network(.noName)
      case .refused: .network(.refused)
      case .unreachable: .network(.unreachable)
      case .timedOut: .network(.timedOut)
      case .stalled: .stalled
      // What we did not call off ourselves ended because the network part did.
      case .reset, .cutShort, .cancelled: .network(.reset)
      case .tls(.pin): .tls(.pin)
      case .tls(.expired): isClockSet ? .tls(.expired) : .clockWrong
      case .tls(.untrusted): .tls(.untrusted)
      case .tls(.other): .tls(.other)
      case .redirect(.loop): .redirect(.loop)
      case .redirect(.insecure), .redirect(.inward): .redirect(.insecure)
      case .redirect(.tooMany): .redirect(.tooMany)
      case .protocolError, .badRequest: .nonsense
      case .tooLarge: .tooLarge
      case .encoded: .encoded
      case .other: .unknown
      }
  }
}
