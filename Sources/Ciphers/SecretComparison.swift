internal import CCiphers
import Runtime

/// Whether they are the same, found out in a time that says nothing of where they differ.
package func areEqualInSecret(_ one: [UInt8], _ other: [UInt8]) throws(Fault) -> Bool {
  try OpenSSL.load()
  return one.count == other.count && layby_are_equal(one, other, one.count) == 1
}
