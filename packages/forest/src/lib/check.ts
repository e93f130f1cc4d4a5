import { InvalidEventError } from '../errors.ts'
import type { AmountInput, EventPosition } from '../types.ts'
import type { Amounts } from './amounts.ts'

const largestWord = 0xffff_fffe
const largestAmount = 2n ** 256n - 1n

/** Throws unless the position is in range and not before `newest`. */
export function checkPosition(event: EventPosition, newest: EventPosition | undefined): void {
  // Separate checks, because a loop over the field names is too slow for millions of events.
  if (!isWord(event.block)) refuseField('block', event.block)
  if (!isWord(event.logIndex)) refuseField('logIndex', event.logIndex)
  if (!isWord(event.timestamp)) refuseField('timestamp', event.timestamp)
  if (!newest) return
  const { block, logIndex, timestamp } = newest
  if (event.block < block || (event.block === block && event.logIndex < logIndex) || event.timestamp < timestamp)
    throw new InvalidEventError(
      `Event out of order: block ${event.block}, log ${event.logIndex}, time ${event.timestamp} after block ${block}, ` +
        `log ${logIndex}, time ${timestamp}. Add events by block, then log index; roll back before replacing any.`,
    )
}

/** Writes an amount to `into[0]`. */
export function readAmount(amount: AmountInput, into: Amounts): void {
  if (amount instanceof Uint32Array && amount.length === 8) into.setWords(0, amount)
  else if (typeof amount === 'bigint' && amount >= 0n && amount <= largestAmount) into.set(0, amount)
  else throw new InvalidEventError(`Not an amount: ${String(amount)}. Expected a bigint from 0 to 2^256 − 1.`)
}

export function checkBlock(block: number): void {
  if (!Number.isSafeInteger(block)) throw new RangeError(`Not a block: ${String(block)}. Expected an integer.`)
}

export function checkTime(now: number): void {
  if (!isWord(now)) throw new RangeError(`Not a time: ${String(now)}. Expected Unix seconds.`)
}

export function checkLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new RangeError(`Not a limit: ${String(limit)}. Expected an integer of 1 or more.`)
}

/** Returns whether a number fits a position, which is stored in 32 bits; the largest value is reserved. */
function isWord(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= largestWord
}

function refuseField(field: keyof EventPosition, value: unknown): never {
  throw new InvalidEventError(`Not a ${field}: ${String(value)}. Expected an integer from 0 to ${largestWord}.`)
}
