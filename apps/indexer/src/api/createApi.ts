import { type Forest, InvalidCursorError, type MemberId } from '@lineage/forest'
import type { SpotCheck, Status, Warning } from '@lineage/referral-api'
import { type Context, Hono } from 'hono'
import type { Community } from '../../config/index.ts'
import { toCommunity, toMember, toMetrics, toSummary } from './answers.ts'
import type { Follow, Tables, View } from './follow.ts'
import { paced } from './paced.ts'
import { readAddress, readLimit, readPage, readPrefix, readReferrals } from './parameters.ts'
import { ProblemError, toResponse } from './problems.ts'

export type ApiParameters = {
  communities: readonly Community[]
  follow: Pick<Follow, 'view' | 'status'>
  findTx: Tables['findTx']
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
type Answered = { view: View; body: object }

/** The lookups, by the schemas of `@lineage/referral-api`. */
export function createApi({ communities, follow, findTx, log, watch }: ApiParameters): Hono {
  const entries = new Map<string, Entry>(
    communities.map((community) => [community.id, { community, metrics: pacedMetrics() }]),
  )

  const ofMember: Record<string, (lookup: MemberLookup) => object | Promise<object>> = {
    '': async ({ forest, id, community }) => {
      const member = forest.member(id)
      const { block, logIndex } = member
      return toMember(
        member,
        block === null || logIndex === null ? undefined : await txOf(community.id, { block, logIndex }),
      )
    },
    '/levels': ({ forest, id }) => ({
      items: forest.levels(id).map(({ level, count, volume }) => ({ level, count, volume: volume.toString() })),
    }),
    '/referrals': ({ forest, id, query }) => {
      const { items, nextCursor } = forest.referrals(id, readReferrals(query))
      return { items: items.map((item) => ({ ...toSummary(item), level: item.level })), nextCursor }
    },
    '/referrers': ({ forest, id, query }) => {
      const { items, nextCursor } = forest.referrers(id, readPage(query))
      return { items: items.map(toSummary), nextCursor }
    },
  }

  /** A card without its transaction is worth more than none. */
  async function txOf(...parameters: Parameters<Tables['findTx']>) {
    try {
      return await findTx(...parameters)
    } catch (error) {
      log(`A transaction cannot be read: ${describe(error)}`)
      return undefined
    }
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
    const id = lookup.forest.find(readAddress(lookup.context.req.param('address') ?? ''))
    if (id === undefined) throw new ProblemError('member_not_found', 'No event of this community names this address.')
    return { ...lookup, id }
  }

  const app = new Hono().basePath('/v1')

  app.use(async (context, next) => {
    const start = performance.now()
    await next()
    context.header('server-timing', `app;dur=${(performance.now() - start).toFixed(2)}`)
  })

  function route(path: string, answer: (lookup: Lookup) => Answered | Promise<Answered>) {
    app.get(path, async (context) => {
      const query = (name: string) => context.req.query(name)
      const { view, body } = await answer({ context, view: requireView(), query })
      const tag = `W/"${view.asOf.block}-${run}.${view.version}"`
      const headers = { etag: tag, 'cache-control': 'public, max-age=1' }
      if (matches(context.req.header('if-none-match'), tag)) return context.body(null, 304, headers)
      return context.json({ asOf: view.asOf, ...body }, 200, headers)
    })
  }

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
  route('/communities/:community/metrics', (lookup) => {
    const { metrics, forest, view } = requireCommunity(lookup)
    const { input, output } = metrics({ forest, view })
    return { view: input.view, body: output }
  })
  for (const [path, answer] of Object.entries(ofMember))
    route(`/communities/:community/members/:address${path}`, async (lookup) => ({
      view: lookup.view,
      body: await answer(requireMember(requireCommunity(lookup))),
    }))

  const live = { 'cache-control': 'no-store' }
  app.get('/status', (context) => {
    const status: Status = { ...follow.status(), warnings: watch.warnings(), spotChecks: watch.spotChecks() }
    return context.json(status, 200, live)
  })
  app.get('/health', (context) => context.json({ status: 'ok' }, 200, live))
  app.get('/ready', (context) => context.json({ status: requireView() && 'ready' }, 200, live))

  for (const path of new Set(app.routes.filter(({ method }) => method === 'GET').map((known) => known.path)))
    app.all(path.slice('/v1'.length), ({ req }) => {
      throw new ProblemError('method_not_allowed', `This page is read with GET, not ${req.method}.`)
    })
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

function pacedMetrics() {
  return paced(({ forest, view }: { forest: Forest; view: View }) =>
    toMetrics(forest.metrics({ now: view.asOf.timestamp })),
  )
}

/** Part of every entity tag: after a restart the same block may, after a reorg, hold something else. */
const run = Date.now().toString(36)

function matches(header: string | undefined, tag: string): boolean {
  return (header ?? '').split(',').some((part) => [tag, tag.slice(2), '*'].includes(part.trim()))
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
