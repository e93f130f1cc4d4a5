/** Thrown for an address that is not `0x` and 40 hex digits. */
export class InvalidAddressError extends Error {
  override name = 'InvalidAddressError' as const
  constructor(text: unknown) {
    super(`Not an address: ${show(text)}. Expected 0x and 40 hex digits.`)
  }
}

/** Thrown for a prefix that is not `0x` and 2 to 40 hex digits. */
export class InvalidPrefixError extends Error {
  override name = 'InvalidPrefixError' as const
  constructor(text: unknown) {
    super(`Not an address prefix: ${show(text)}. Expected 0x and 2 to 40 hex digits.`)
  }
}

/** Thrown for an invalid cursor or one of another query. Read the first page again. */
export class InvalidCursorError extends Error {
  override name = 'InvalidCursorError' as const
  constructor(cursor: unknown) {
    super(`Invalid cursor ${show(cursor)}: this query did not return it. Leave the cursor out to read the first page.`)
  }
}

const costlyReasons = {
  order: 'Too many members of this team would have to be read for this order. Sort by join, or narrow the filter.',
  moves: 'Too many members have moved since then. Choose a later moment.',
  legs: 'This member had too many direct referrals then to measure the leg of each. Ask for the member itself, or for its levels.',
  period: 'Too many members of this community have amounts or joins in this period to rank them. Choose a shorter one.',
  changes: 'The community changed each time while this team was being read. Try again.',
}

/** Thrown for a query that takes too many steps. Its message says what to request instead. */
export class QueryTooCostlyError extends Error {
  override name = 'QueryTooCostlyError' as const
  constructor(reason: keyof typeof costlyReasons) {
    super(costlyReasons[reason])
  }
}

/** Thrown between two slices of an answer when downlines may have changed. Start the answer again. */
export class DownlineChangedError extends Error {
  override name = 'DownlineChangedError' as const
}

/** Thrown when a held state has ended, because of a rollback or of too many changes. Begin another one. */
export class HoldEndedError extends Error {
  override name = 'HoldEndedError' as const
  constructor() {
    super('The state that was read is gone: too much has changed since, or a reorganisation of the chain replaced it.')
  }
}

/** Thrown for an event out of log order or with a field out of range. The forest is unchanged. */
export class InvalidEventError extends Error {
  override name = 'InvalidEventError' as const
}

/** Thrown for a rollback below the committed block. Rebuild the forest from its events. */
export class RollbackError extends Error {
  override name = 'RollbackError' as const
  constructor(toBlock: number, finalBlock: number) {
    super(
      `Cannot roll back to block ${toBlock}: blocks up to ${finalBlock} are committed as final. ` +
        'Rebuild the forest from its events.',
    )
  }
}

/** Thrown for an id that is not of a member or placeholder. */
export class UnknownMemberError extends Error {
  override name = 'UnknownMemberError' as const
  constructor(id: unknown) {
    super(`No member has the id ${show(id)}. Call find again: ids are valid until the next rollback.`)
  }
}

function show(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
