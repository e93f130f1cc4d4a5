/** Thrown for a file of logs that cannot be used. */
export class HistoryFileError extends Error {
  override readonly name = 'HistoryFileError'
}
