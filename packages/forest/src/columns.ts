/** Columns from this length on have address space set aside; memory is taken only for what has been written. */
const reserveFrom = 2 ** 16
const reservedEntries = 2 ** 24

/** Of ECMAScript 2024; the compiler's library is older. */
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
 * A column that the snapshot worker can read and that grows in place, so that loading millions of rows never holds a
 * column twice. Views have a fixed length: those that follow their buffer's are several times slower.
 */
function createColumn<column extends Column>(Type: ColumnType<column>, length: number, width: number): column {
  const bytes = length * Type.BYTES_PER_ELEMENT
  const reserved = length < reserveFrom * width ? bytes : reservedEntries * width * Type.BYTES_PER_ELEMENT
  const maxByteLength = reserved < bytes ? bytes * 4 : reserved
  return new Type(new GrowableBuffer(bytes, { maxByteLength }), 0, length)
}

/** `width`: how many entries belong to one row. */
export function createWords(length: number, width = 1): Uint32Array {
  return createColumn<Uint32Array>(Uint32Array, length, width)
}

export function createBytes(length: number): Uint8Array {
  return createColumn<Uint8Array>(Uint8Array, length, 1)
}

/** The same column with room for more; the view handed in is out of use from then on. */
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

/** For columns that a snapshot replaces: copied when they grow. */
export function grownArray<column extends Uint16Array | Uint32Array | Float64Array>(
  column: column,
  length: number,
): column {
  const larger = new (column.constructor as new (length: number) => column)(length)
  larger.set(column)
  return larger
}
