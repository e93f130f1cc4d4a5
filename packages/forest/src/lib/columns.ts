/** Length from which columns reserve address space to grow into. Memory is used only for written rows. */
const reserveFrom = 2 ** 16
const reservedEntries = 2 ** 24

/** Growable buffers are part of ECMAScript 2024, and the compiler's library is older. */
type Growable = SharedArrayBuffer & { grow(bytes: number): void; readonly maxByteLength: number }
const GrowableBuffer = SharedArrayBuffer as unknown as new (
  bytes: number,
  options: { maxByteLength: number },
) => Growable

type Column = Uint8Array | Uint32Array
type ColumnType<column extends Column> = {
  new (buffer: SharedArrayBuffer, offset: number, length: number): column
  readonly BYTES_PER_ELEMENT: number
}

/**
 * Creates a column that the snapshot worker can read and that grows in place, so that loading millions of rows never
 * holds a column twice. Its views have a fixed length: length-tracking views are several times slower.
 */
function createColumn<column extends Column>(Type: ColumnType<column>, length: number, width: number): column {
  const bytes = length * Type.BYTES_PER_ELEMENT
  const reserved = length < reserveFrom * width ? bytes : reservedEntries * width * Type.BYTES_PER_ELEMENT
  const maxByteLength = reserved < bytes ? bytes * 4 : reserved
  return new Type(new GrowableBuffer(bytes, { maxByteLength }), 0, length)
}

/** Creates a column of 32-bit words. `width` is the number of entries of one row. */
export function createWords(length: number, width = 1): Uint32Array {
  return createColumn<Uint32Array>(Uint32Array, length, width)
}

export function createBytes(length: number): Uint8Array {
  return createColumn<Uint8Array>(Uint8Array, length, 1)
}

/** Grows a column, in place if possible. The view passed in must not be used afterwards. */
export function grownColumn<column extends Column>(column: column, length: number, width = 1): column {
  const Type = column.constructor as unknown as ColumnType<column>
  const buffer = column.buffer as Growable
  const bytes = length * Type.BYTES_PER_ELEMENT
  if (bytes <= buffer.maxByteLength) {
    buffer.grow(bytes)
    return new Type(buffer, 0, length)
  }
  const larger = createColumn(Type, length, width)
  larger.set(column)
  return larger
}

/** Copies a column into a larger array; used for columns that each snapshot replaces. */
export function grownArray<column extends Uint16Array | Uint32Array | Float64Array>(
  column: column,
  length: number,
): column {
  const larger = new (column.constructor as new (length: number) => column)(length)
  larger.set(column)
  return larger
}

/** A list of slots that grows several times faster than an array of numbers. */
export class SlotList {
  length = 0
  words: Uint32Array

  /** @param capacity Number of slots that are most likely added: to grow a list of millions takes long. */
  constructor(capacity = 64) {
    this.words = new Uint32Array(capacity)
  }

  push(slot: number): void {
    if (this.length === this.words.length) this.words = grownArray(this.words, Math.max(64, this.length * 2))
    this.words[this.length++] = slot
  }
}

/** Returns the first index from 0 to `length` for which `isBefore` is false, by binary search. */
export function partitionPoint(length: number, isBefore: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
