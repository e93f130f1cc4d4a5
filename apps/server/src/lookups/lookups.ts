import type { Level, Member, MemberId } from '@lineage/forest'
import type { Address } from 'viem'
import { checksumAddress } from '../../../config/checksumAddress.ts'
import { streamCsv } from '../csv/streamCsv.ts'
import { eventsPerPage, streamEventsCsv } from '../csv/streamEventsCsv.ts'
import { ProblemError } from '../http/problems.ts'
import { mapLimit, toCard, toCommunity, toEvent, toMap, toMemberEvent, toSummary } from '../http/serialize.ts'
import { findDatabaseFault } from '../lib/describeError.ts'
import type { Position } from '../tables/position.ts'
import { type MemberEventPosition, type MemberEventsRange, memberEventKinds } from '../tables/readMemberEvents.ts'
import { requireCommunity } from './createLookupReader.ts'
import { readEventsCursor, readMemberEventsCursor, toEventsCursor, toMemberEventsCursor } from './eventsCursor.ts'
import { findMember } from './findMember.ts'
import type { Lookups, Sources } from './lookup.ts'
import {
  readCsvOrder,
  readFilteredReferrals,
  readInterval,
  readKinds,
  readLimit,
  readMapBy,
  readPage,
  readPair,
  readPrefix,
  readReferrals,
  readReferrers,
} from './parameters.ts'
import { answerPast, compare, pastLevels, pastMember, pastReferrals, pastReferrers } from './pastLookups.ts'
import { readFilter } from './readFilter.ts'

export const lookups: Lookups = {
  communities: ({ view, sources: { communities, withheld } }) => ({
    body: {
      items: communities.map((community) => {
        const members = view.forests.get(community.id)?.counts.members ?? 0
        return toCommunity(community, withheld(community.id) ? 'indexing' : 'ready', members)
      }),
    },
  }),

  addresses: ({ view, address, sources: { communities, withheld } }) => ({
    body: {
      items: communities.map(({ id: community, name }) => {
        const forest = withheld(community) ? undefined : view.forests.get(community)
        const id = forest?.find(address)
        const member = forest && id !== undefined ? toCard(forest.member(id)) : null
        return { community, name, asOf: view.asOf, status: forest ? 'ready' : 'indexing', member }
      }),
    },
  }),

  metrics({ forest, view, metrics }) {
    const { input, output } = metrics({ forest, view })
    return { body: output, view: input.view }
  },

  map({ forest, view, query, maps }) {
    const { input, output } = maps[readMapBy(query)]({ forest, view })
    return { body: output, view: input.view }
  },

  teamMap({ forest, id, view, query }) {
    const by = readMapBy(query)
    return { body: toMap(forest.map(id, { by, most: mapLimit, now: view.asOf.timestamp }), by) }
  },

  search: ({ forest, query }) => ({
    body: { items: forest.searchPrefix(readPrefix(query), readLimit(query)).map(toSummary) },
  }),

  async events({ community, forest, view, query, sources: { tables } }) {
    const { limit, cursor } = readPage(query)
    const range = { block: view.asOf.block, before: readEventsCursor(cursor) }
    // One row more than requested shows whether there is a next page.
    const rows = await tables.readBinds(community.id, range, limit + 1).catch(refuseWithoutDatabase)
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    return {
      body: {
        items: page.map((row) => toEvent(row, forest.statusAt(row))),
        nextCursor: last && rows.length > limit ? toEventsCursor(last) : null,
      },
    }
  },

  async memberEvents({ community, forest, address, absence, view, query, sources: { tables } }) {
    const { limit, cursor } = readPage(query)
    const range = { kinds: readKinds(query), block: view.asOf.block, before: readMemberEventsCursor(cursor) }
    const of = { community: community.id, member: toLowerCase(address) }
    const rows = await tables.readMemberEvents(of, range, limit + 1).catch(refuseWithoutDatabase)
    if (rows.length === 0 && absence) await requireEvents(tables, of, range, absence)
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    return {
      body: {
        items: page.map((row) => toMemberEvent(row, row.amount === null ? forest.statusAt(row) : null)),
        nextCursor: last && rows.length > limit ? toMemberEventsCursor(last) : null,
      },
    }
  },

  async memberEventsCsv({ community, address, absence, view, query, sources }) {
    const member = toLowerCase(address)
    const range = { kinds: readKinds(query), block: view.asOf.block }
    const of = { community: community.id, member }
    const readPage = (before: MemberEventPosition | undefined, limit: number) =>
      sources.tables.readMemberEvents(of, { ...range, before }, limit)
    const first = await readPage(undefined, eventsPerPage).catch(refuseWithoutDatabase)
    if (first.length === 0 && absence) await requireEvents(sources.tables, of, { ...range, before: undefined }, absence)
    return {
      body: streamEventsCsv(first, readPage, () => requireCommunity(sources, community.id)),
      headers: csvHeaders(`${community.id}-${checksumAddress(member)}-events.csv`),
    }
  },

  relation({ community, forest, query }) {
    const { a, b } = readPair({ forest, community, query })
    const { common, ...relation } = forest.relation(a, b)
    const addressOf = (id: MemberId) => checksumAddress(forest.summary(id).address)
    return { body: { a: addressOf(a), b: addressOf(b), ...relation, common: common && checksumAddress(common) } }
  },

  line({ community, forest, query }) {
    const { a, b } = readPair({ forest, community, query })
    const { items, nextCursor } = forest.line(a, b, readPage(query))
    return {
      body: { items: items.map((item) => ({ ...toSummary(item), step: item.step, side: item.side })), nextCursor },
    }
  },

  async batch({ community, forest, body: { addresses, tx }, sources: { readTransactions } }) {
    const found = addresses.map((input) => {
      const result = findMember(forest, community, input)
      return 'id' in result ? { member: forest.member(result.id), error: null } : { member: null, error: result.error }
    })
    const positions = found.map(({ member }) => member && positionOf(member))
    const txs = tx ? ((await readTransactions(community.id, positions)) ?? []) : undefined
    return {
      body: {
        items: found.map(({ member, error }, index) => ({
          input: addresses[index] as string,
          card: member && { ...toCard(member), ...(txs && { tx: txs[index] ?? null }) },
          error,
        })),
      },
    }
  },

  async member(lookup) {
    const past = answerPast(lookup, pastMember)
    if (past) return past
    const { community, forest, id, sources } = lookup
    const member = forest.member(id)
    const txs = await sources.readTransactions(community.id, [positionOf(member)])
    return { body: { ...toCard(member), tx: txs?.[0] ?? null }, state: txs ? 'whole' : 'partial' }
  },

  levels(lookup) {
    const { forest, id } = lookup
    const toLevel = ({ level, count, volume }: Level) => ({ level, count, volume: volume.toString() })
    return answerPast(lookup, pastLevels) ?? { body: { items: forest.levels(id).map(toLevel) } }
  },

  compare,

  growth({ forest, id, view, query }) {
    const interval = readInterval(query)
    return { body: { interval, items: forest.growth(id, { interval, now: view.asOf.timestamp }) } }
  },

  referrals(lookup) {
    const past = answerPast(lookup, pastReferrals)
    if (past) return past
    const { forest, id, query, names } = lookup
    const filter = readFilter(query, names)
    const { items, ...page } = filter
      ? forest.filteredReferrals(id, readFilteredReferrals(query, filter))
      : forest.referrals(id, readReferrals(query))
    return { body: { items: items.map((item) => ({ ...toSummary(item), level: item.level })), ...page } }
  },

  referralsCsv({ community, forest, id, query, names, sources: { index } }) {
    const address = checksumAddress(forest.summary(id).address)
    return {
      body: streamCsv(() => index.view()?.forests.get(community.id), {
        address,
        order: readCsvOrder(query),
        filter: readFilter(query, names),
      }),
      headers: csvHeaders(`${community.id}-${address}.csv`),
    }
  },

  referrers(lookup) {
    const past = answerPast(lookup, pastReferrers)
    if (past) return past
    const { forest, id, query } = lookup
    const { items, nextCursor } = forest.referrers(id, readReferrers(query))
    return { body: { items: items.map(toSummary), nextCursor } }
  },
}

const csvHeaders = (name: string) => ({
  'content-type': 'text/csv; charset=utf-8; header=present',
  'content-disposition': `attachment; filename="${name}"`,
})

/** Throws the problem of an address that no event up to the block names, of any kind. */
async function requireEvents(
  tables: Sources['tables'],
  of: Parameters<Sources['tables']['readMemberEvents']>[0],
  { kinds, block, before }: MemberEventsRange,
  absence: ProblemError,
): Promise<void> {
  // The first page of all kinds was empty.
  if (!before && kinds.length === memberEventKinds.length) throw absence
  const range = { kinds: memberEventKinds, block, before: undefined }
  const [event] = await tables.readMemberEvents(of, range, 1).catch(refuseWithoutDatabase)
  if (!event) throw absence
}

const toLowerCase = (address: Address) => address.toLowerCase() as Address

function refuseWithoutDatabase(error: unknown): never {
  if (findDatabaseFault(error) === undefined) throw error
  throw new ProblemError('unavailable', 'The database does not respond, so events cannot be listed. Try again later.')
}

/** Returns the position of a member's own bind; `null` for a placeholder. */
function positionOf({ block, logIndex }: Member): Position | null {
  return block === null || logIndex === null ? null : { block, logIndex }
}
