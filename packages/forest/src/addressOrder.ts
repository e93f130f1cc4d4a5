import { type AddressIndex, compareAddresses } from './addressIndex.ts'

const wordsEach = 5
const digitBits = 11
const digits = 1 << digitBits

/** The first `length` addresses in ascending order, by their numbers. */
export function sortAddresses(words: Uint32Array, length: number): Uint32Array {
  let from = new Uint32Array(length)
  let to = new Uint32Array(length)
  // The first words go along, so that all is read in order and only written here and there.
  let keys = new Uint32Array(length)
  let keysTo = new Uint32Array(length)
  for (let index = 0; index < length; index++) {
    from[index] = index
    keys[index] = words[index * wordsEach] as number
  }
  const starts = new Uint32Array(digits + 1)
  for (let shift = 0; shift < 32; shift += digitBits) {
    starts.fill(0)
    for (let at = 0; at < length; at++) {
      const digit = ((keys[at] as number) >>> shift) & (digits - 1)
      starts[digit + 1] = (starts[digit + 1] as number) + 1
    }
    for (let digit = 0; digit < digits; digit++)
      starts[digit + 1] = (starts[digit + 1] as number) + (starts[digit] as number)
    for (let at = 0; at < length; at++) {
      const key = keys[at] as number
      const digit = (key >>> shift) & (digits - 1)
      const place = starts[digit] as number
      to[place] = from[at] as number
      keysTo[place] = key
      starts[digit] = place + 1
    }
    ;[from, to] = [to, from]
    ;[keys, keysTo] = [keysTo, keys]
  }
  for (let low = 0; low < length; ) {
    const first = keys[low]
    let high = low + 1
    while (high < length && keys[high] === first) high++
    if (high - low > 1) from.subarray(low, high).sort((left, right) => compareAddresses(words, left, right))
    low = high
  }
  return from
}

/** Finds addresses by how they begin: those of the last snapshot in their order, the newer one by one. */
export class AddressOrder {
  private sorted: Uint32Array = new Uint32Array(0)
  /** Addresses below this are in `sorted`. */
  private frozen = 0
  private readonly addresses: AddressIndex

  constructor(addresses: AddressIndex) {
    this.addresses = addresses
  }

  /** Takes over what `sortAddresses` returned, while none of those addresses has gone. */
  take(sorted: Uint32Array): void {
    this.sorted = sorted
    this.frozen = sorted.length
  }

  /** Addresses from `length` on are no more. */
  truncate(length: number): void {
    this.frozen = Math.min(this.frozen, length)
  }

  /** Hands over those that begin with these hex digits, until `offer` has had enough of the ordered ones. */
  forEach(digits: string, offer: (index: number) => 'more' | 'enough'): void {
    const order = this.addresses.prefixOrder(digits)
    if (this.frozen < this.sorted.length) this.sorted = this.sorted.filter((index) => index < this.frozen)
    let low = 0
    let high = this.sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (order(this.sorted[middle] as number) < 0) low = middle + 1
      else high = middle
    }
    for (let at = low; at < this.sorted.length; at++) {
      const index = this.sorted[at] as number
      if (order(index) !== 0 || offer(index) === 'enough') break
    }
    for (let index = this.frozen; index < this.addresses.length; index++) if (order(index) === 0) offer(index)
  }

  get newer(): number {
    return this.addresses.length - this.frozen
  }

  get bytes(): number {
    return this.sorted.byteLength
  }
}
