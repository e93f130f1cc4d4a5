/** An address that is not `0x` and 40 hex digits. */
export class InvalidAddressError extends Error {
  override name = 'InvalidAddressError' as const
  constructor(text: unknown) {
    super(`Not an address: ${show(text)}. Expected 0x and 40 hex digits.`)
  }
}

/** A prefix that is not `0x` and 2 to 40 hex digits. */
export class InvalidPrefixError extends Error {
  override name = 'InvalidPrefixError' as const
  constructor(text: unknown) {
    super(`Not the beginning of an address: ${show(text)}. Expected 0x and 2 to 40 hex digits.`)
  }
}

/** A cursor that this query did not hand out: ask for the first page again. */
export class InvalidCursorError extends Error {
  override name = 'InvalidCursorError' as const
  constructor(cursor: unknown) {
    super(`Not a cursor of this query: ${show(cursor)}. Leave the cursor out to begin at the first page.`)
  }
}

/** An event out of log order, or with a field outside its range. Nothing was changed. */
export class InvalidEventError extends Error {
  override name = 'InvalidEventError' as const
}

/** A rollback into blocks that were committed as final. Rebuild the forest from its events. */
export class RollbackError extends Error {
  override name = 'RollbackError' as const
  constructor(toBlock: number, finalBlock: number) {
    super(
      `Cannot roll back to block ${toBlock}: blocks up to ${finalBlock} were committed as final and their journal ` +
        'is gone. Rebuild the forest from its events.',
    )
  }
}

/** An id that names no member or placeholder, or none any more. */
export class UnknownMemberError extends Error {
  override name = 'UnknownMemberError' as const
  constructor(id: unknown) {
    super(`No member has the id ${show(id)}. Find the address again: ids do not outlive a rollback.`)
  }
}

function show(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
