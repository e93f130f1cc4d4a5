import { partitionPoint } from '../lib/partitionPoint.ts'
import { prefixComparer } from './address.ts'
import type { AddressIndex } from './addressIndex.ts'

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
