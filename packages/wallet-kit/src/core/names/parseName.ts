import { normalize } from 'viem/ens'

const maxLength = 255

/**
 * Returns a name in its normal form. Returns `undefined` for names with invisible, direction or control characters,
 * mixed scripts or markup, and for names that look like an address.
 *
 * @see https://docs.ens.domains/ensip/15
 */
export function parseName(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > maxLength) return undefined
  try {
    const name = normalize(value.trim())
    return name && !looksLikeAddress(name) ? name : undefined
  } catch {
    return undefined
  }
}

/**
 * Checks for 0x or ox and hex digits, even if separated. Up to seven digits before a dot count as a word:
 * `0xbabe.bnb`.
 */
function looksLikeAddress(name: string): boolean {
  const found = /^[0o]x([\da-f]*)((?:[^\p{L}\p{N}][\da-f]*)*?)(\.(?![a-f]+$)\p{L}+)?$/u.exec(name)
  if (!found) return false
  const [, digits = '', pieces, ending] = found
  return !ending || pieces !== '' || digits.length > 7
}
