import { createWords, grownColumn, partitionPoint } from '../lib/columns.ts'
import {
  type Address,
  type AddressWords,
  formatAddress,
  isSameAddress,
  prefixComparer,
  wordsPerAddress,
} from './address.ts'

/**
 * Numbers addresses 0, 1, 2 … in the order of insertion, and finds them with an open-addressing hash table. Only the
 * newest address can be removed, which restores the table exactly.
 */
export class AddressIndex {
  length = 0
  words: Uint32Array
  /** 0 for a free place. Otherwise the low bits are an address's number plus one, the high bits those of its hash. */
  private table: Uint32Array
  /** Random, so that attackers cannot choose addresses that collide. */
  private readonly seed = Math.floor(Math.random() * 2 ** 32)

  constructor(capacity = 1024) {
    this.words = createWords(capacity * wordsPerAddress, wordsPerAddress)
    this.table = new Uint32Array(2 ** Math.ceil(Math.log2(capacity * 2)))
  }

  find(address: AddressWords): number | undefined {
    const entry = this.table[this.placeOf(address)] as number
    return entry === 0 ? undefined : (entry & (this.table.length - 1)) - 1
  }

  /** Inserts an address, which must not be in the index. Returns its number. */
  insert(address: AddressWords): number {
    const index = this.length
    if ((index + 1) * wordsPerAddress > this.words.length)
      this.words = grownColumn(this.words, Math.ceil((index + 1) * 1.5) * wordsPerAddress, wordsPerAddress)
    if ((index + 1) * 4 > this.table.length * 3) this.rehash(this.table.length * 2)
    for (let word = 0; word < wordsPerAddress; word++)
      this.words[index * wordsPerAddress + word] = address[word] as number
    this.enter(index)
    this.length++
    return index
  }

  removeLast(): void {
    this.length--
    const offset = this.length * wordsPerAddress
    this.table[this.placeOf(this.words.subarray(offset, offset + wordsPerAddress))] = 0
  }

  address(index: number): Address {
    return formatAddress(this.words, index)
  }

  /** Memory of the addresses without spare room, and of the whole table. */
  get bytes(): { addresses: number; hash: number } {
    return { addresses: this.length * wordsPerAddress * 4, hash: this.table.byteLength }
  }

  /** Returns the place of an address in the table, or the free place where it belongs. */
  private placeOf(address: AddressWords): number {
    const { table } = this
    const mask = table.length - 1
    const hashed = hash(address, 0, this.seed)
    for (let place = hashed & mask; ; place = (place + 1) & mask) {
      const entry = table[place] as number
      if (entry === 0) return place
      // The bits of the hash avoid most reads of the words, which are rarely in the cache.
      if (((entry ^ hashed) & ~mask) !== 0) continue
      if (isSameAddress(address, this.words, ((entry & mask) - 1) * wordsPerAddress)) return place
    }
  }

  /** Adds an address that is not in the table. */
  private enter(index: number): void {
    const { table } = this
    const mask = table.length - 1
    const hashed = hash(this.words, index * wordsPerAddress, this.seed)
    let place = hashed & mask
    while (table[place] !== 0) place = (place + 1) & mask
    table[place] = (hashed & ~mask) | (index + 1)
  }

  /** Adds all addresses in the order of insertion, so that the newest can still be removed exactly. */
  private rehash(size: number): void {
    this.table = new Uint32Array(size)
    for (let index = 0; index < this.length; index++) this.enter(index)
  }
}

/** Computes MurmurHash3 of five words. */
function hash(words: Uint32Array, offset: number, seed: number): number {
  let state = seed
  for (let word = 0; word < wordsPerAddress; word++) {
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

/** Finds addresses by prefix: sorted ones of the last snapshot by binary search, newer ones one by one. */
export class PrefixOrder {
  /** Number of addresses removed so far. If it has changed, a worker's sorting is out of date. */
  removals = 0
  private sorted: Uint32Array = new Uint32Array(0)
  /** Addresses with a number below this are in `sorted`. */
  private snapshotLength = 0
  private readonly addresses: AddressIndex

  constructor(addresses: AddressIndex) {
    this.addresses = addresses
  }

  /** Installs a result of `sortAddresses`. None of its addresses may have been removed meanwhile. */
  install(sorted: Uint32Array): void {
    this.sorted = sorted
    this.snapshotLength = sorted.length
  }

  /** Drops the newest address. Call it after the address was removed from the index. */
  removeLast(): void {
    this.snapshotLength = Math.min(this.snapshotLength, this.addresses.length)
    this.removals++
  }

  /** Visits the addresses with a prefix of hex digits: sorted ones until `visit` returns `enough`, then newer ones. */
  forEach(digits: string, visit: (index: number) => 'more' | 'enough'): void {
    const compare = prefixComparer(this.addresses.words, digits)
    if (this.snapshotLength < this.sorted.length)
      this.sorted = this.sorted.filter((index) => index < this.snapshotLength)
    const first = partitionPoint(this.sorted.length, (at) => compare(this.sorted[at] as number) < 0)
    const end = partitionPoint(this.sorted.length, (at) => compare(this.sorted[at] as number) <= 0)
    for (let at = first; at < end; at++) if (visit(this.sorted[at] as number) === 'enough') break
    for (let index = this.snapshotLength; index < this.addresses.length; index++) if (compare(index) === 0) visit(index)
  }

  /** Number of addresses that are not in sorted order. */
  get newer(): number {
    return this.addresses.length - this.snapshotLength
  }

  get bytes(): number {
    return this.sorted.byteLength
  }
}
