import type { Address, Hash } from 'viem'

/** Reads one property of an untrusted object. Returns `undefined` when its getter throws. */
export function readProperty(source: unknown, key: string): unknown {
  try {
    return (source as Record<string, unknown> | null | undefined)?.[key]
  } catch {
    return undefined
  }
}

const maxEntries = 1_000

/**
 * Copies at most 1,000 entries of an untrusted list. Returns `undefined` for other values and for proxies that throw.
 */
export function readList(source: unknown): unknown[] | undefined {
  try {
    return Array.isArray(source) ? Array.from(source.slice(0, maxEntries)) : undefined
  } catch {
    return undefined
  }
}

/** Checks for an object that is neither `null` nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Checks for `0x` and 40 hex digits in any case. viem's own check needs the checksum hash, which is large. */
export function isAddress(value: unknown): value is Address {
  return typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)
}

/** Checks for `0x` and 64 hex digits. */
export function isHash(value: unknown): value is Hash {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)
}

/** Checks for an id of calls: any text of at most 4,096 bytes in hex. https://eips.ethereum.org/EIPS/eip-5792 */
export function isCallsId(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= 8_194
}

// Matches fillers, which count as letters, but not the marks that turn a character into an emoji:
// https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
const invisible = /[\p{C}\p{Zl}\p{Zp}\u2800]|(?![\ufe00-\ufe0f])\p{DI}/gu

/** Returns one line of text without control, direction and other invisible characters, which can disguise a name. */
export function parseUntrustedText(value: unknown, maxLength: number): string {
  if (typeof value !== 'string') return ''
  const text = value.slice(0, 1_000)
  // Most texts are plain ASCII, and `invisible` makes the browser build a large table on its first match.
  const visible = /^[ -~]*$/.test(text) ? text : text.replace(invisible, '')
  return [...visible.trim()].slice(0, maxLength).join('').trim()
}

/** Returns a `data:image/` address of a type that `<img>` shows without running scripts; `undefined` for others. */
export function parseDataImage(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string') return undefined
  const image = value.trim()
  return image.length < maxLength && /^data:image\/(svg\+xml|png|webp|jpeg|gif)[;,]/i.test(image) ? image : undefined
}

const maxAvatarLength = 16_000

/** Returns an `https:` or `data:image/` address for an `<img>`; `undefined` for others. */
export function parseAvatar(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > maxAvatarLength) return undefined
  return /^https:\/\/[^\s"'<>\\]+$/i.test(value) ? value : parseDataImage(value, maxAvatarLength)
}

/**
 * Parses a chain id: hex or decimal string, number, bigint, or an object with `chainId`. Returns `undefined` for
 * other values.
 */
export function parseChainId(payload: unknown): number | undefined {
  const value = typeof payload === 'object' ? readProperty(payload, 'chainId') : payload
  if (typeof value === 'string' && !/^\s*(0x[0-9a-f]+|\d+)\s*$/i.test(value)) return undefined
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return undefined
  const chainId = Number(value)
  return Number.isSafeInteger(chainId) && chainId > 0 ? chainId : undefined
}

/**
 * Parses a list of addresses and drops other entries. Returns `undefined` for other values, and for a list with
 * entries but no address.
 */
export function parseAccounts(payload: unknown): Address[] | undefined {
  const list = readList(payload)
  const accounts = list?.filter(isAddress)
  return list?.length && !accounts?.length ? undefined : accounts
}
