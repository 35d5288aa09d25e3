import Runtime
import Store

/// Changes rows of a database as time would. Nobody has the file open.
package func changeRows(in file: FilePath, by statement: String) throws {
  try Connection(open: file, as: .writer(durability: .normal)).execute(statement)
}
