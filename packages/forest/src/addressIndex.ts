import { createWords, grownColumn } from './columns.ts'
import { InvalidAddressError } from './errors.ts'
import type { Address } from './types.ts'

const wordsEach = 5
const hexDigits = Buffer.from('0123456789abcdef')
const addressText = Buffer.from('0x'.padEnd(42, '0'))
const addressLength = 42
const addressBytes = new Uint8Array(addressLength)
/** The value of a hex digit by its character code; -1 for any other. */
const digitValues = new Int8Array(256).fill(-1)
for (const [value, code] of hexDigits.entries()) {
  digitValues[code] = value
  digitValues[String.fromCharCode(code).toUpperCase().charCodeAt(0)] = value
}

/** The twenty bytes of an address as five words, for `readAddress` to write into. */
export type AddressWords = Uint32Array

export function createAddressWords(): AddressWords {
  return new Uint32Array(wordsEach)
}

/**
 * Numbers addresses 0, 1, 2 … in the order of their insertion: 20 bytes each, found through an open-addressing hash
 * table. Only the newest can be removed, which leaves the table exactly as it was before that insertion.
 */
export class AddressIndex {
  length = 0
  words: Uint32Array
  /** 0: free; otherwise the address's number plus one, and above it those bits of the hash that told no slot. */
  private slots: Uint32Array
  /** Unknown to whoever picks the addresses, so that a stream cannot be made to collide. */
  private readonly seed = Math.floor(Math.random() * 2 ** 32)

  constructor(capacity: number) {
    this.words = createWords(capacity * wordsEach, wordsEach)
    this.slots = new Uint32Array(2 ** Math.ceil(Math.log2(capacity * 2)))
  }

  find(address: AddressWords): number | undefined {
    const entry = this.slots[this.slotOf(address, 0, hash(address, 0, this.seed))] as number
    return entry === 0 ? undefined : (entry & (this.slots.length - 1)) - 1
  }

  /** The address must not be in the index. */
  insert(address: AddressWords): number {
    const index = this.length
    if ((index + 1) * wordsEach > this.words.length)
      this.words = grownColumn(this.words, Math.ceil((index + 1) * 1.5) * wordsEach, wordsEach)
    if ((index + 1) * 4 > this.slots.length * 3) this.rehash(this.slots.length * 2)
    for (let word = 0; word < wordsEach; word++) this.words[index * wordsEach + word] = address[word] as number
    this.enter(index)
    this.length++
    return index
  }

  removeLast(): void {
    const last = this.length - 1
    this.slots[this.slotOf(this.words, last * wordsEach, hash(this.words, last * wordsEach, this.seed))] = 0
    this.length--
  }

  address(index: number): Address {
    let at = 2
    for (let word = 0; word < wordsEach; word++) {
      const value = this.words[index * wordsEach + word] as number
      for (let shift = 28; shift >= 0; shift -= 4) addressText[at++] = hexDigits[(value >>> shift) & 15] as number
    }
    return addressText.toString('latin1') as Address
  }

  compare(left: number, right: number): number {
    return compareAddresses(this.words, left, right)
  }

  /** Tells of an address whether it stands before all that begin with these hex digits (-1), is one (0) or after (1). */
  prefixOrder(digits: string): (index: number) => number {
    const expected = new Uint32Array(wordsEach)
    const masks = new Uint32Array(wordsEach)
    for (let word = 0; word * 8 < digits.length; word++) {
      const part = digits.slice(word * 8, word * 8 + 8)
      expected[word] = Number.parseInt(part.padEnd(8, '0'), 16)
      masks[word] = Number.parseInt('f'.repeat(part.length).padEnd(8, '0'), 16)
    }
    return (index) => {
      for (let word = 0; word < wordsEach; word++) {
        const mask = masks[word] as number
        if (mask === 0) return 0
        const difference =
          (((this.words[index * wordsEach + word] as number) & mask) >>> 0) - (expected[word] as number)
        if (difference !== 0) return Math.sign(difference)
      }
      return 0
    }
  }

  get bytes(): { addresses: number; hash: number } {
    return { addresses: this.length * wordsEach * 4, hash: this.slots.byteLength }
  }

  /** Where these five words are, or the free slot where they belong. */
  private slotOf(words: Uint32Array, offset: number, hashed: number): number {
    const { slots } = this
    const mask = slots.length - 1
    for (let slot = hashed & mask; ; slot = (slot + 1) & mask) {
      const entry = slots[slot] as number
      if (entry === 0) return slot
      // Others are told apart without a look at their words, which stand far away.
      if (((entry ^ hashed) & ~mask) === 0 && this.isAt((entry & mask) - 1, words, offset)) return slot
    }
  }

  /** Into the next free slot: it must not be in the table. */
  private enter(index: number): void {
    const { slots } = this
    const mask = slots.length - 1
    const hashed = hash(this.words, index * wordsEach, this.seed)
    let slot = hashed & mask
    while (slots[slot] !== 0) slot = (slot + 1) & mask
    slots[slot] = (hashed & ~mask) | (index + 1)
  }

  private isAt(index: number, words: Uint32Array, offset: number): boolean {
    for (let word = 0; word < wordsEach; word++)
      if (this.words[index * wordsEach + word] !== words[offset + word]) return false
    return true
  }

  /** In the order of insertion, so that removing the newest stays exact. */
  private rehash(size: number): void {
    this.slots = new Uint32Array(size)
    for (let index = 0; index < this.length; index++) this.enter(index)
  }
}

/** Reads `0x` and 40 hex digits in any case, or the words themselves; throws `InvalidAddressError` on anything else. */
export function readAddress(address: string | AddressWords, into: AddressWords): void {
  if (address instanceof Uint32Array && address.length === wordsEach) {
    for (let word = 0; word < wordsEach; word++) into[word] = address[word] as number
    return
  }
  if (typeof address !== 'string' || address.length !== addressLength) throw new InvalidAddressError(address)
  for (let at = 0; at < addressLength; at++) {
    const code = address.charCodeAt(at)
    addressBytes[at] = code < 128 ? code : 0
  }
  if (!readAddressAt(addressBytes, 0, into)) throw new InvalidAddressError(address)
}

/** Reads the 42 bytes of an address in the middle of a text; `false` where there is none. */
export function readAddressAt(bytes: Uint8Array, from: number, into: AddressWords): boolean {
  if (bytes[from] !== 0x30 || bytes[from + 1] !== 0x78) return false
  let all = 0
  // Written out: there are millions.
  for (let word = 0, at = from + 2; word < wordsEach; word++, at += 8) {
    const first = digitAt(bytes, at)
    const second = digitAt(bytes, at + 1)
    const third = digitAt(bytes, at + 2)
    const fourth = digitAt(bytes, at + 3)
    const fifth = digitAt(bytes, at + 4)
    const sixth = digitAt(bytes, at + 5)
    const seventh = digitAt(bytes, at + 6)
    const eighth = digitAt(bytes, at + 7)
    all |= first | second | third | fourth | fifth | sixth | seventh | eighth
    into[word] =
      (first << 28) |
      (second << 24) |
      (third << 20) |
      (fourth << 16) |
      (fifth << 12) |
      (sixth << 8) |
      (seventh << 4) |
      eighth
  }
  return all >= 0
}

function digitAt(bytes: Uint8Array, at: number): number {
  return digitValues[bytes[at] as number] ?? -1
}

export function compareAddresses(words: Uint32Array, left: number, right: number): number {
  for (let word = 0; word < wordsEach; word++) {
    const difference = (words[left * wordsEach + word] as number) - (words[right * wordsEach + word] as number)
    if (difference !== 0) return difference
  }
  return 0
}

export function isSameAddress(left: AddressWords, right: AddressWords): boolean {
  for (let word = 0; word < wordsEach; word++) if (left[word] !== right[word]) return false
  return true
}

/** MurmurHash3 over five words. */
function hash(words: Uint32Array, offset: number, seed: number): number {
  let state = seed
  for (let word = 0; word < wordsEach; word++) {
    let part = Math.imul(words[offset + word] as number, 0xcc9e2d51)
    part = (part << 15) | (part >>> 17)
    state ^= Math.imul(part, 0x1b873593)
    state = (state << 13) | (state >>> 19)
    state = Math.imul(state, 5) + 0xe6546b64
  }
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  return (state ^ (state >>> 16)) >>> 0
}
