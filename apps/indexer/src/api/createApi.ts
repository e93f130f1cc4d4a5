import { type Forest, InvalidCursorError, type Member, type MemberId } from '@lineage/forest'
import type { SpotCheck, Status, Warning } from '@lineage/referral-api'
import { type Context, Hono } from 'hono'
import { type Address, isAddressEqual, zeroAddress } from 'viem'
import { checksumAddress } from '../../config/checksumAddress.ts'
import type { Community } from '../../config/index.ts'
import { toCard, toCommunity, toEvent, toGrowth, toMetrics, toSummary } from './answers.ts'
import { readBatch } from './body.ts'
import { streamCsv } from './csv.ts'
import { readEventsCursor, toEventsCursor } from './events.ts'
import type { Follow, Position, Tables, View } from './follow.ts'
import { paced } from './paced.ts'
import {
  readAddress,
  readInterval,
  readLimit,
  readPage,
  readPrefix,
  readReferrals,
  readReferrers,
} from './parameters.ts'
import { ProblemError, toResponse } from './problems.ts'
import { createTransactions } from './transactions.ts'

export type ApiParameters = {
  communities: readonly Community[]
  follow: Pick<Follow, 'view' | 'status'>
  tables: Pick<Tables, 'findTxs' | 'readBinds'>
  log: (message: string) => void
  watch: Watch
}

/** What a person should see to. */
type Watch = {
  warnings(): Warning[]
  spotChecks(): SpotCheck[]
  /** Why a community must not be answered for. */
  withheld(community: string): string | undefined
}

/** The metrics are the one lookup whose cost grows with the community. */
type Entry = { community: Community; metrics: ReturnType<typeof pacedMetrics> }
/** What a lookup is answered from: it belongs together until the next await. */
type Lookup = { context: Context; view: View; query: (name: string) => string | undefined }
type CommunityLookup = Lookup & Entry & { forest: Forest }
type MemberLookup = CommunityLookup & { id: MemberId }
/** `partial`: something is missing that may be there a moment later. */
type Answered = { view: View; body: object; type?: Record<string, string>; state?: 'whole' | 'partial' }

/** The lookups, by the schemas of `@lineage/referral-api`. */
export function createApi({ communities, follow, tables, log, watch }: ApiParameters): Hono {
  const entries = new Map<string, Entry>(
    communities.map((community) => [community.id, { community, metrics: pacedMetrics() }]),
  )

  const readTransactions = createTransactions({ tables, log })

  const ofMember: Record<string, (lookup: MemberLookup) => object> = {
    '/levels': ({ forest, id }) => ({
      items: forest.levels(id).map(({ level, count, volume }) => ({ level, count, volume: volume.toString() })),
    }),
    '/growth': ({ forest, id, view, query }) => {
      const interval = readInterval(query)
      return toGrowth(forest.growth(id, { interval, now: view.asOf.timestamp }), interval)
    },
    '/referrals': ({ forest, id, query }) => {
      const { items, nextCursor } = forest.referrals(id, readReferrals(query))
      return { items: items.map((item) => ({ ...toSummary(item), level: item.level })), nextCursor }
    },
    '/referrers': ({ forest, id, query }) => {
      const { items, nextCursor } = forest.referrers(id, readReferrers(query))
      return { items: items.map(toSummary), nextCursor }
    },
  }

  function requireView(): View {
    const view = follow.view()
    if (view) return view
    const { progress } = follow.status()
    throw new ProblemError('indexing', 'The events are still being read from the chain.', progress ? { progress } : {})
  }

  function requireCommunity(lookup: Lookup): CommunityLookup {
    const entry = entries.get(lookup.context.req.param('community') ?? '')
    const forest = entry && lookup.view.forests.get(entry.community.id)
    if (!forest) throw new ProblemError('community_not_found', 'There is no community of this id.')
    const reason = watch.withheld(entry.community.id)
    if (reason) throw new ProblemError('indexing', reason)
    return { ...lookup, ...entry, forest }
  }

  function requireMember(lookup: CommunityLookup): MemberLookup {
    return { ...lookup, id: findMember(lookup, lookup.context.req.param('address') ?? '') }
  }

  function findMember({ forest, community }: CommunityLookup, text: string): MemberId {
    const address = readAddress(text)
    const id = forest.find(address)
    if (id !== undefined) return id
    const sentinels: Address[] = [zeroAddress, deadAddress, ...community.roots]
    throw new ProblemError(
      'member_not_found',
      sentinels.some((sentinel) => isAddressEqual(sentinel, address))
        ? 'This address stands for "no referrer": it is nobody. Those who name it are roots.'
        : isAddressEqual(community.address, address)
          ? 'This is the contract of the community itself, not a member.'
          : 'No event of this community names this address.',
    )
  }

  const app = new Hono().basePath('/v1')

  app.use(async (context, next) => {
    const start = performance.now()
    await next()
    context.header('server-timing', `app;dur=${(performance.now() - start).toFixed(2)}`, { append: true })
  })

  function refuseOthers(path: string, allow: string) {
    app.all(path, ({ req }) => {
      throw new ProblemError('method_not_allowed', `This path takes ${allow}, not ${req.method}.`, { allow })
    })
  }

  function route(path: string, answer: (lookup: Lookup) => Answered | Promise<Answered>) {
    app.get(path, async (context) => {
      const query = (name: string) => context.req.query(name)
      const before = process.threadCpuUsage()
      const answering = answer({ context, view: requireView(), query })
      // Up to its first pause, so that no other request counts for this one.
      const { user, system } = process.threadCpuUsage(before)
      context.header('server-timing', `work;dur=${((user + system) / 1_000).toFixed(2)}`)
      const { view, body, type, state } = await answering
      if (state === 'partial') return context.json({ asOf: view.asOf, ...body }, 200, live)
      const tag = `W/"${view.asOf.block}-${run}.${view.version}"`
      const headers = { etag: tag, 'cache-control': 'public, max-age=1' }
      if (matches(context.req.header('if-none-match'), tag)) return context.body(null, 304, headers)
      if (body instanceof ReadableStream) return context.body(body, 200, { ...headers, ...type })
      return context.json({ asOf: view.asOf, ...body }, 200, headers)
    })
    refuseOthers(path, 'GET, HEAD')
  }

  // Before the members, or "batch" would be taken for an address.
  app.post('/communities/:community/members/batch', async (context) => {
    const { addresses, tx } = await readBatch(context.req.raw)
    const lookup = requireCommunity({ context, view: requireView(), query: () => undefined })
    const found = addresses.map((input) => attempt(() => lookup.forest.member(findMember(lookup, input))))
    const positions = found.map(({ member }) => member && positionOf(member))
    const txs = tx ? ((await readTransactions(lookup.community.id, positions)) ?? []) : undefined
    const items = found.map(({ member, error }, index) => ({
      input: addresses[index],
      card: member && { ...toCard(member), ...(txs && { tx: txs[index] ?? null }) },
      error,
    }))
    return context.json({ asOf: lookup.view.asOf, items }, 200, live)
  })
  refuseOthers('/communities/:community/members/batch', 'POST')

  route('/communities', ({ view }) => {
    const membersOf = (id: string) => view.forests.get(id)?.counts.members ?? 0
    return {
      view,
      body: {
        items: communities.map((community) =>
          toCommunity(community, watch.withheld(community.id) ? 'indexing' : 'ready', membersOf(community.id)),
        ),
      },
    }
  })
  route('/communities/:community/search', (lookup) => {
    const { forest, view, query } = requireCommunity(lookup)
    return { view, body: { items: forest.searchPrefix(readPrefix(query), readLimit(query)).map(toSummary) } }
  })
  route('/communities/:community/events', async (lookup) => {
    const { community, forest, view } = requireCommunity(lookup)
    const { limit, cursor } = readPage(lookup.query)
    const range = { block: view.asOf.block, before: readEventsCursor(cursor) }
    // One more than asked for tells whether there is a next page.
    const rows = await tables.readBinds(community.id, range, limit + 1)
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    return {
      view,
      body: {
        items: page.map((row) => toEvent(row, forest.statusAt(row))),
        nextCursor: last && rows.length > limit ? toEventsCursor(last) : null,
      },
    }
  })
  route('/communities/:community/members/:address/referrals.csv', (lookup) => {
    const { community, forest, id, view } = requireMember(requireCommunity(lookup))
    const address = checksumAddress(forest.summary(id).address)
    return {
      view,
      body: streamCsv(() => follow.view()?.forests.get(community.id), address),
      type: {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': `attachment; filename="${community.id}-${address}.csv"`,
      },
    }
  })
  route('/communities/:community/metrics', (lookup) => {
    const { metrics, forest, view } = requireCommunity(lookup)
    const { input, output } = metrics({ forest, view })
    return { view: input.view, body: output }
  })
  route('/communities/:community/members/:address', async (lookup) => {
    const { community, forest, id, view } = requireMember(requireCommunity(lookup))
    const member = forest.member(id)
    const txs = await readTransactions(community.id, [positionOf(member)])
    return { view, body: { ...toCard(member), tx: txs?.[0] ?? null }, state: txs ? 'whole' : 'partial' }
  })
  for (const [path, answer] of Object.entries(ofMember))
    route(`/communities/:community/members/:address${path}`, (lookup) => ({
      view: lookup.view,
      body: answer(requireMember(requireCommunity(lookup))),
    }))

  app.get('/status', (context) => {
    const status: Status = { ...follow.status(), warnings: watch.warnings(), spotChecks: watch.spotChecks() }
    return context.json(status, 200, live)
  })
  app.get('/health', (context) => context.json({ status: 'ok' }, 200, live))
  app.get('/ready', (context) => context.json({ status: requireView() && 'ready' }, 200, live))

  for (const path of ['/status', '/health', '/ready']) refuseOthers(path, 'GET, HEAD')
  app.all('*', () => {
    throw new ProblemError('not_found', 'The API has no such page.')
  })

  app.onError((error) => {
    if (error instanceof ProblemError) return toResponse(error)
    if (error instanceof InvalidCursorError)
      return toResponse(new ProblemError('invalid_cursor', 'The cursor is not of this list: begin at its first page.'))
    log(`A request failed: ${error.stack ?? describe(error)}`)
    return toResponse(new ProblemError('internal', 'The request could not be answered. Try again later.'))
  })
  return app
}

/** What an item of a batch cannot be answered with, beside the others that can. */
function attempt(find: () => Member) {
  try {
    return { member: find(), error: null }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    return { member: null, error: { code: error.code, detail: error.message } }
  }
}

/** Of the member's own bind. */
function positionOf({ block, logIndex }: Member): Position | null {
  return block === null || logIndex === null ? null : { block, logIndex }
}

function pacedMetrics() {
  return paced(({ forest, view }: { forest: Forest; view: View }) =>
    toMetrics(forest.metrics({ now: view.asOf.timestamp })),
  )
}

const deadAddress = '0x000000000000000000000000000000000000dEaD'

const live = { 'cache-control': 'no-store' }

/** Part of every entity tag: after a restart the same block may, after a reorg, hold something else. */
const run = Date.now().toString(36)

function matches(header: string | undefined, tag: string): boolean {
  return (header ?? '').split(',').some((part) => [tag, tag.slice(2), '*'].includes(part.trim()))
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
