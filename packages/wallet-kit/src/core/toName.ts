import { normalize } from 'viem/ens'

const maxLength = 255

/**
 * A name fit to be shown, in its normal form: without invisible, direction and control characters, mixed scripts or
 * markup. `undefined` for anything else, and for a name that could be read as an address.
 *
 * @see https://docs.ens.domains/ensip/15
 */
export function toName(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > maxLength) return undefined
  try {
    const name = normalize(value.trim())
    return name && !looksLikeAddress(name) ? name : undefined
  } catch {
    return undefined
  }
}

/** Hex digits after 0x, or ox, alone or in pieces. A few of them before a dot are a word, such as `0xbabe.bnb`. */
function looksLikeAddress(name: string): boolean {
  const found = /^[0o]x([\da-f]*)((?:[^\p{L}\p{N}][\da-f]*)*?)(\.(?![a-f]+$)\p{L}+)?$/u.exec(name)
  if (!found) return false
  const [, digits = '', pieces, ending] = found
  return !ending || pieces !== '' || digits.length > 7
}
