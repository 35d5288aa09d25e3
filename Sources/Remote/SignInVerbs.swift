import Application
import Runtime
import Services

/// The verbs `sign-in` and `sign-out`: accounts of depots. What is stored of an account is never in an answer.
@MainLoop
struct SignInVerbs {
  let licences: Licences

  func signIn(_ arguments: [JSON]) async throws(Fault) -> JSON {
    switch arguments.first?.string {
    case "state": return await state()
    case "cancel":
      try await licences.callOffSignIn(arguments.dropFirst().first?.string)
      return await state()
    case "page":
      let page = try licences.signInPage(of: arguments.dropFirst().first?.string)
      return Response.done([("source", JSON(page.source)), ("address", JSON(page.address))])
    case "code" where arguments.count == 5:
      let said = arguments.dropFirst().map { $0.string ?? "" }
      try await licences.signIn(said[0], code: said[1], verifier: said[2], back: said[3])
      return await state()
    case let name:
      let (source, code) = try await licences.signIn(name)
      return Response.done([("source", JSON(source)), ("sign_in", code.json(at: MainLoop.loop.now))])
    }
  }

  func signOut(_ arguments: [JSON]) async throws(Fault) -> JSON {
    let source = try await licences.signOut(arguments.first?.string)
    return Response.done([("signed_out", JSON(source))])
  }

  private func state() async -> JSON {
    let now = MainLoop.loop.now
    let depots = await licences.signIns().map { one -> JSON in
      var members: [(String, JSON)] = [("source", JSON(one.source)), ("state", JSON(one.state.name))]
      switch one.state {
      case .waiting(let code): members.append(("sign_in", code.json(at: now)))
      case .signedOut(let fault):
        if let fault { members += [("code", JSON(fault.code)), ("message", JSON(fault.message))] }
      case .signedIn: break
      }
      return .object(JSON.Object(members))
    }
    return Response.done([("depots", .list(depots))])
  }
}

extension SignInState {
  fileprivate var name: String {
    switch self {
    case .signedOut: "signed out"
    case .waiting: "waiting"
    case .signedIn: "signed in"
    }
  }
}

extension SignInCode {
  fileprivate func json(at now: Moment) -> JSON {
    [
      "code": JSON(code), "address": JSON(address), "whole_address": JSON(wholeAddress),
      "seconds": JSON(max((ends - now).milliseconds / 1_000, 0)),
    ]
  }
}
