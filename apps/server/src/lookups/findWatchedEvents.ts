import { checksumAddress } from '@lineage/communities'
import { type Forest, type MemberId, QueryTooCostlyError, type Slices } from '@lineage/forest'
import type { Address, AsOf, Events } from '@lineage/referral-api'
import type { EventRow } from '../follow/events.ts'

/** Watched addresses, and the block after which their events are asked for. */
export type WatchedRequest = {
  /** Addresses in lower case. */
  addresses: readonly string[]
  /** Events of later blocks are returned; `null` returns none. */
  after: number | null
  /** State up to which final blocks that were replaced are known; without it, none are returned. */
  heals?: Heals | undefined
}

/** Tables of events, and the number of final blocks that were replaced in them. */
export type Heals = { index: string; number: number }

/** A watched address that an event involves. */
export type Involved = {
  /** The address, in lower case. */
  address: string
  /** `self`: the address is the member. `referrer`: the event names it. `team`: the member is in its team. */
  as: 'self' | 'referrer' | 'team'
  /** Largest milestone that its team reached with this event; `null` for none. */
  reached: number | null
}

/** An event that involves a watched address, with places in the forest as they were after its block. */
export type WatchedEvent = {
  block: number
  logIndex: number
  hash: string
  timestamp: number
  member: Address
  involved: readonly Involved[]
} & (
  | {
      kind: 'bind'
      /** The address in the event; `null` for an unbind. */
      referrer: Address | null
      status: Events['items'][number]['status']
      /** The member's referrer before the block. Equal to `to` if the member has not moved. */
      from: Address | null
      to: Address | null
      /** Whether its block and time are only those at which it was found. */
      isUndated: boolean
    }
  | { kind: 'volume'; amount: string }
)

/**
 * Events of the blocks after the requested one, up to `upTo`, in order. If `upTo` is below the block of `asOf`, more
 * events can be requested next.
 *
 * With `healed`, the events are those of earlier blocks which were replaced after they were final. `added` names those
 * that were missing, as `block-logIndex`. More events can be requested next.
 */
export type WatchedEvents = {
  asOf: AsOf
  upTo: number
  items: readonly WatchedEvent[]
  heals: Heals
  healed?: { blocks: readonly number[]; added: readonly string[] }
}

/** Team sizes that raise an alert: 100, 1,000, 10,000 … */
const milestones: readonly number[] = Array.from({ length: 8 }, (_, index) => 10 ** (index + 2))

export type FindParameters = {
  forest: Forest
  /** `true` if members may change or lose their referrer later. */
  isMoving: boolean
  /** Addresses in lower case. */
  watched: ReadonlySet<string>
  /** All rows after a block and up to `upTo`, in log order. */
  rows: readonly EventRow[]
  /** `newest` is the newest block of the forest. */
  upTo: number | 'newest'
  /** Sizes of a team that raise a milestone. */
  sizes?: readonly number[]
  /** Whether a row was missing until now, although its block is final. Without it, all later rows are new too. */
  isLate?: ((row: EventRow) => boolean) | undefined
}

/**
 * Finds the events that involve watched addresses, in slices. Places in the forest count as they were after all events
 * of the block. So the result for an event depends only on the chain up to its block, not on the time of the request
 * or on other rows.
 */
export function* findWatchedEvents({
  forest,
  isMoving,
  watched,
  rows,
  upTo,
  sizes = milestones,
  isLate,
}: FindParameters): Slices<WatchedEvent[]> {
  const places = createPlaces(forest, isMoving, watched)
  const effective = lastBinds(rows, forest)
  const search = { forest, isMoving, sizes, places, rows: effective, upTo }
  const reached = yield* isLate ? findLateMilestones(search, isLate) : findMilestones(search)
  const items: WatchedEvent[] = []
  for (const row of rows) {
    if (row.kind !== 'bind' && row.kind !== 'volume') continue
    const event = row.kind === 'bind' ? toBind(row) : toVolume(row)
    if (event.involved.length > 0) items.push(event)
    yield
  }
  return items

  function toBind(row: BindRow): WatchedEvent {
    const status = forest.statusAt(row)
    const referrer = row.referrer && checksumAddress(row.referrer)
    const counts = effective.has(row)
    const involved = status === 'bound' ? (counts ? placesOf(row) : []) : namedIn(row, watched)
    const [from, to] = involved.length > 0 && counts ? places.move(row) : [null, null]
    const isUndated = (row.grade ?? 'exact') !== 'exact'
    return { kind: 'bind', ...base(row), referrer, status, from, to, isUndated, involved }
  }

  /** Returns the member itself, and the addresses whose team it joined with this bind. */
  function placesOf(row: BindRow): Involved[] {
    const involved = selfIn(row, watched)
    for (const { address, as } of places.joined(row))
      involved.push({ address, as, reached: reached.get(row)?.get(address) ?? null })
    return involved
  }

  function toVolume(row: Exclude<EventRow, BindRow>): WatchedEvent {
    const involved = selfIn(row, watched)
    for (const address of places.above(row)) involved.push({ address, as: 'team', reached: null })
    return { kind: 'volume', ...base(row), amount: row.amount.toString(), involved }
  }
}

type BindRow = Extract<EventRow, { kind: 'bind' }>

const base = ({ block, logIndex, blockHash: hash, timestamp, member }: EventRow) => ({
  block,
  logIndex,
  hash,
  timestamp,
  member: checksumAddress(member),
})

/** Returns the member of an event if it is watched. */
function selfIn({ member }: EventRow, watched: ReadonlySet<string>): Involved[] {
  const address = member.toLowerCase()
  return watched.has(address) ? [{ address, as: 'self', reached: null }] : []
}

/** Returns the watched addresses that an irregular bind names. */
function namedIn(row: BindRow, watched: ReadonlySet<string>): Involved[] {
  const involved = selfIn(row, watched)
  const named = row.referrer?.toLowerCase()
  if (named !== undefined && named !== row.member.toLowerCase() && watched.has(named))
    involved.push({ address: named, as: 'referrer', reached: null })
  return involved
}

/** Returns the binds that count: of several binds of a member in one block, the last one. */
function lastBinds(rows: readonly EventRow[], forest: Forest): ReadonlySet<BindRow> {
  const binds = rows.filter((row) => row.kind === 'bind').filter((row) => forest.statusAt(row) === 'bound')
  const last = new Map(binds.map((row) => [`${row.block}-${row.member.toLowerCase()}`, row]))
  return new Set(binds.filter((row) => last.get(`${row.block}-${row.member.toLowerCase()}`) === row))
}

/** The referrer of a member after a block, and the watched addresses above the member. */
type Place = { parent: MemberId | undefined; above: string[] }
const nowhere: Place = { parent: undefined, above: [] }

/** Creates the functions that read the places of members in the forest, as they were after a block. */
function createPlaces(forest: Forest, isMoving: boolean, watched: ReadonlySet<string>) {
  const watchedIds = new Map<MemberId, string>()
  for (const address of watched) {
    const id = forest.find(address)
    if (id !== undefined) watchedIds.set(id, address)
  }
  const known = new Map<string, Place>()

  function placeOf(member: string, block: number): Place {
    const key = `${block}-${member}`
    const place = known.get(key) ?? readPlace(member, block)
    known.set(key, place)
    return place
  }

  function readPlace(member: string, block: number): Place {
    const id = forest.find(member)
    if (id === undefined) return nowhere
    const line = forest.pastUpline(id, block)
    return { parent: line[0], above: line.flatMap((one) => watchedIds.get(one) ?? []) }
  }

  const addressOf = (id: MemberId | undefined) =>
    id === undefined ? null : checksumAddress(forest.summary(id).address)
  return {
    /** Returns the watched addresses above a member after the block of a row. */
    above: ({ member, block }: Pick<EventRow, 'member' | 'block'>): string[] => placeOf(member, block).above,
    /** Returns the watched addresses whose direct referral the member became with its bind, or whose team it joined. */
    joined({ member, block }: BindRow) {
      const was = isMoving ? placeOf(member, block - 1) : nowhere
      const { parent, above } = placeOf(member, block)
      return above.flatMap((address, index): Pick<Involved, 'address' | 'as'>[] => {
        if (index === 0 && parent !== undefined && watchedIds.get(parent) === address)
          return was.parent === parent ? [] : [{ address, as: 'referrer' }]
        return was.above.includes(address) ? [] : [{ address, as: 'team' }]
      })
    },
    /** Returns the member's referrer before and after the block of a row. */
    move: ({ member, block }: BindRow): [from: Address | null, to: Address | null] => [
      addressOf(placeOf(member, block - 1).parent),
      addressOf(placeOf(member, block).parent),
    ],
  }
}

type Places = ReturnType<typeof createPlaces>

type MilestoneParameters = Required<Pick<FindParameters, 'forest' | 'isMoving' | 'sizes' | 'upTo'>> & {
  places: Places
  rows: ReadonlySet<BindRow>
}

type Reached = Map<BindRow, Map<string, number>>

/** Finds the binds with which teams reached a size: the last bind of the block that added to the team. */
function* findMilestones({ forest, isMoving, sizes, places, rows, upTo }: MilestoneParameters): Slices<Reached> {
  const reached: Reached = new Map()
  /** The last bind in each block, in order, by watched address. */
  const binds = new Map<string, Map<number, BindRow>>()
  /** Largest possible change of a team by all rows. */
  let most = 0
  for (const row of rows) {
    yield
    most += 1 + (yield* moved(row))
    for (const { address } of places.joined(row)) {
      const blocks = binds.get(address) ?? new Map<number, BindRow>()
      binds.set(address, blocks.set(row.block, row))
    }
  }
  for (const [address, blocks] of binds) {
    const team = upTo === 'newest' ? teamOf(forest, address) : yield* pastTeam(forest, address, upTo)
    if (team === undefined) continue
    const isNear = sizes.some((size) => (isMoving ? Math.abs(team - size) <= most : size <= team && size > team - most))
    if (isNear) yield* note(address, [...blocks.values()])
  }
  return reached

  /** Counts the members below the member of a row, who moved with it, as it was at that time. */
  function* moved({ member, block }: BindRow): Slices<number> {
    if (!isMoving || upTo === 'newest') return teamOf(forest, member)
    const teams = [yield* pastTeam(forest, member, block - 1), yield* pastTeam(forest, member, block)]
    return teams.reduce<number>((sum, team) => sum + (team ?? Number.POSITIVE_INFINITY), 0)
  }

  function* note(address: string, own: readonly BindRow[]): Slices<void> {
    const [first] = own
    if (!first) return
    const search: Search = {
      teamAfter: (block) => pastTeam(forest, address, block),
      sizeBetween: (before, after) =>
        before === undefined || after === undefined
          ? undefined
          : sizes.findLast((size) => size > before && size <= after),
      note: (row, size) => void reached.set(row, (reached.get(row) ?? new Map()).set(address, size)),
    }
    if (isMoving) yield* searchEach(own, search)
    else yield* searchGrowing(own, yield* search.teamAfter(first.block - 1), search)
  }
}

/** Finds the milestones that teams have now because of binds that were missing, each at its last such bind. */
function* findLateMilestones(
  { forest, sizes, places, rows, upTo }: MilestoneParameters,
  isLate: (row: EventRow) => boolean,
): Slices<Reached> {
  const late = [...rows].filter(isLate)
  const members = new Set(late.map(({ member }) => forest.find(member)))
  /** The last bind, and the number of members that came by all of them, by watched address. */
  const gains = new Map<string, { row: BindRow; gained: number }>()
  for (const row of late) {
    const joined = places.joined(row)
    if (joined.length === 0) continue
    // Members below another late bind came with that one.
    const id = forest.find(row.member)
    const isBelow = id !== undefined && forest.pastUpline(id, row.block).some((one) => members.has(one))
    const team = isBelow ? 0 : 1 + ((yield* teamNow(row.member)) ?? 0)
    for (const { address } of joined) gains.set(address, { row, gained: (gains.get(address)?.gained ?? 0) + team })
  }
  const reached: Reached = new Map()
  for (const [address, { row, gained }] of gains) {
    const team = yield* teamNow(address)
    const size = team === undefined ? undefined : sizes.findLast((one) => one > team - gained && one <= team)
    if (size !== undefined) reached.set(row, (reached.get(row) ?? new Map()).set(address, size))
  }
  return reached

  function* teamNow(address: string): Slices<number | undefined> {
    return upTo === 'newest' ? teamOf(forest, address) : yield* pastTeam(forest, address, upTo)
  }
}

type Search = {
  /** Returns the size of a team after a block; `undefined` if members have moved too often since. */
  teamAfter: (block: number) => Slices<number | undefined>
  /** Returns the largest milestone above one size and up to another; `undefined` without one, or if a size is unknown. */
  sizeBetween: (before: number | undefined, after: number | undefined) => number | undefined
  note: (row: BindRow, size: number) => void
}

/** Checks each block, because a team may shrink and grow again. */
function* searchEach(own: readonly BindRow[], { teamAfter, sizeBetween, note }: Search): Slices<void> {
  for (const row of own) {
    const size = sizeBetween(yield* teamAfter(row.block - 1), yield* teamAfter(row.block))
    if (size !== undefined) note(row, size)
  }
}

/** Searches by halves for the blocks in which a team that only grows has reached a milestone. */
function* searchGrowing(own: readonly BindRow[], before: number | undefined, search: Search): Slices<void> {
  const last = own.at(-1)
  if (!last) return
  const size = search.sizeBetween(before, yield* search.teamAfter(last.block))
  if (size === undefined) return
  if (own.length === 1) {
    search.note(last, size)
    return
  }
  const middle = own.length >> 1
  const left = own.slice(0, middle)
  yield* searchGrowing(left, before, search)
  yield* searchGrowing(own.slice(middle), yield* search.teamAfter((left.at(-1) as BindRow).block), search)
}

function teamOf(forest: Forest, address: string): number {
  const id = forest.find(address)
  return id === undefined ? 0 : forest.summary(id).team
}

function* pastTeam(forest: Forest, address: string, block: number): Slices<number | undefined> {
  const id = forest.find(address)
  if (id === undefined) return 0
  try {
    return (yield* forest.pastMember(id, { block }))?.team ?? 0
  } catch (error) {
    if (error instanceof QueryTooCostlyError) return undefined
    throw error
  }
}
