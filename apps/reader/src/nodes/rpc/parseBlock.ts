/** Number, hash and parent of a block. */
export type Block = { number: number; hash: string; parentHash: string | undefined }

/** Parses a block of a node. Returns `undefined` if it has no number or no hash. */
export function parseBlock(value: unknown): Block | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { number: quantity, hash, parentHash } = value as Record<string, unknown>
  const number = parseQuantity(quantity)
  if (number === undefined || typeof hash !== 'string') return undefined
  return { number, hash, parentHash: typeof parentHash === 'string' ? parentHash : undefined }
}

/** Parses a hexadecimal number of a node. Returns `undefined` for other values and numbers beyond the safe integers. */
export function parseQuantity(value: unknown): number | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value) ? Number(value) : undefined
}

/** Returns whether the block's bloom filter shows that it has logs. */
export function hasLogs(block: unknown): boolean {
  const bloom = (block as { logsBloom?: unknown } | null)?.logsBloom
  return typeof bloom === 'string' && /^0x0*[1-9a-f]/i.test(bloom)
}
