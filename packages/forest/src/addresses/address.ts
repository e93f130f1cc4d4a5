import { InvalidAddressError } from '../errors.ts'

/** An address in lower case: `0x` and 40 hex digits. */
export type Address = `0x${string}`

/** The twenty bytes of an address as five words, first bytes first. */
export type AddressWords = Uint32Array

export const wordsPerAddress = 5
const addressLength = 42
const hexDigits = Buffer.from('0123456789abcdef')
const text = Buffer.from('0x'.padEnd(addressLength, '0'))
/** Value of a hex digit by its character code; -1 for any other character. */
const digitValues = new Int8Array(256).fill(-1)
for (const [value, code] of hexDigits.entries()) {
  digitValues[code] = value
  digitValues[String.fromCharCode(code).toUpperCase().charCodeAt(0)] = value
}

/** Creates words for `readAddress` to write into. */
export function createAddressWords(): AddressWords {
  return new Uint32Array(wordsPerAddress)
}

/** Reads `0x` and 40 hex digits in any case, or the words themselves. @throws {InvalidAddressError} */
export function readAddress(address: string | AddressWords, into = createAddressWords()): AddressWords {
  if (address instanceof Uint32Array && address.length === wordsPerAddress) {
    for (let word = 0; word < wordsPerAddress; word++) into[word] = address[word] as number
    return into
  }
  if (typeof address !== 'string' || address.length !== addressLength || !readText(address, into))
    throw new InvalidAddressError(address)
  return into
}

/** Reads the words of a text. Returns `false` if it is not `0x` and hex digits. */
function readText(address: string, into: AddressWords): boolean {
  let digits = address.startsWith('0x') ? 0 : -1
  for (let word = 0, at = 2; word < wordsPerAddress; word++) {
    let value = 0
    for (const end = at + 8; at < end; at++) {
      const digit = digitValues[address.charCodeAt(at)] ?? -1
      digits |= digit
      value = (value << 4) | digit
    }
    into[word] = value
  }
  return digits >= 0
}

/** Formats the `index`-th address of a column of words. */
export function formatAddress(words: Uint32Array, index: number): Address {
  let at = 2
  for (let word = 0; word < wordsPerAddress; word++) {
    const value = words[index * wordsPerAddress + word] as number
    for (let shift = 28; shift >= 0; shift -= 4) text[at++] = hexDigits[(value >>> shift) & 15] as number
  }
  return text.toString('latin1') as Address
}

/** Compares the addresses at two indexes of a column of words. */
export function compareAddresses(words: Uint32Array, left: number, right: number): number {
  for (let word = 0; word < wordsPerAddress; word++) {
    const difference =
      (words[left * wordsPerAddress + word] as number) - (words[right * wordsPerAddress + word] as number)
    if (difference !== 0) return difference
  }
  return 0
}

/** Returns whether an address is the one that begins at `offset` of `words`. */
export function isSameAddress(address: AddressWords, words: Uint32Array, offset = 0): boolean {
  for (let word = 0; word < wordsPerAddress; word++) if (address[word] !== words[offset + word]) return false
  return true
}

/**
 * Returns a function that compares an address of a column of words with a prefix of hex digits: -1 if it sorts before
 * the addresses with the prefix, 0 if it has the prefix, 1 if it sorts after.
 */
export function prefixComparer(words: Uint32Array, digits: string): (index: number) => number {
  const first = readAddress(`0x${digits.padEnd(40, '0')}`)
  const last = readAddress(`0x${digits.padEnd(40, 'f')}`)
  return (index) => {
    for (let word = 0; word < wordsPerAddress; word++) {
      const part = words[index * wordsPerAddress + word] as number
      if (part < (first[word] as number)) return -1
      if (part > (last[word] as number)) return 1
    }
    return 0
  }
}
