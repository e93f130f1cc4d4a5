import type { AbiEvent } from 'viem'

/** Number of topics of a log, and of data bytes; of an event, the smallest number of them. */
export type LogShape = { topics: number; bytes: number }

/**
 * Returns the shape of an event's logs.
 *
 * @see https://docs.soliditylang.org/en/latest/abi-spec.html#events
 */
export function eventShape({ inputs }: AbiEvent): LogShape {
  const indexed = inputs.filter((input) => input.indexed).length
  return { topics: indexed + 1, bytes: (inputs.length - indexed) * 32 }
}

/** Returns whether a log has the shape of an event: otherwise its arguments cannot be decoded. */
export const fitsShape = (log: LogShape, event: LogShape) => log.topics === event.topics && log.bytes >= event.bytes
