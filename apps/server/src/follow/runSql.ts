/** Runs one SQL text. */
export type RunSql = (text: string) => Promise<{ rows: unknown[] }>

/** Returns no rows if the table does not exist, because nothing was saved yet. Throws any other error. */
export function emptyIfMissing(error: unknown): { rows: unknown[] } {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  if (['42P01', '3F000'].includes(code ?? cause?.code ?? '')) return { rows: [] }
  throw error
}
