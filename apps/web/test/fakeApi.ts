import type {
  Community,
  Config,
  GrowthInterval,
  MemberEvents,
  Metrics,
  Problem,
  ProblemCode,
  Warning,
} from '@lineage/referral-api'
import { addressPattern } from '@lineage/referral-api/address'
import { byAmountKind } from '@lineage/referral-api/amounts'
import { createCalendar, isDay, readTime } from '@lineage/referral-api/days'
import {
  decodeAbiParameters,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionResult,
  getAbiItem,
  getAddress,
  type Hex,
  multicall3Abi,
  parseAbi,
  parseAbiParameters,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import { namehash } from 'viem/ens'
import accounts from '../src/features/search/Accounts.json' with { type: 'json' }
import { filterNames } from '../src/paths.ts'
import { createAlertSettings, createAlerts } from './fakeAlerts.ts'
import { createPeriods } from './fakePeriods.ts'
import { addressOf, createForest, now } from './forest.ts'
import { createLargeMaps } from './largeMap.ts'

const registry = parseAbi([
  'function resolver(bytes32 node) view returns (address)',
  'function name(bytes32 node) view returns (string)',
  'function addr(bytes32 node) view returns (address)',
  'function text(bytes32 node, string key) view returns (string)',
])

/** Behaviour of the API; tests change it while a page is open. */
export type FakeApiState = {
  mode: 'ready' | 'indexing' | 'withheld' | 'broken' | 'silent'
  /** If set, only requests with this text in their path or body fail. */
  brokenOn: string | undefined
  /** Batches and maps wait for this promise. */
  held: Promise<unknown> | undefined
  /** Mode of the chain's node. */
  node: 'ready' | 'broken'
  rpcUrls: Config['rpcUrls']
  block: number
  demo: boolean
  /**
   * `several`: three more communities; only addresses of every second member are in the second, the third is indexing, and
   * the fourth is withheld. `withheld`: that one only. `added`: one with a status that a later version has added.
   */
  communities: 'one' | 'several' | 'withheld' | 'added'
  /** Why the withheld community is withheld. */
  withheld: Community['withheld']
  /** `costly`: too many members match a filter to be counted or sorted. */
  filters: 'cheap' | 'costly'
  names: Config['names']
  warnings: Warning[]
  /** `large`: maps of a community of millions, as large as answers get. */
  maps: 'forest' | 'large'
  /** `mixed`: two of three members have a grade other than `exact`, and no date. */
  grades: 'exact' | 'mixed'
  /** `many`: more than one page. */
  alerts: 'some' | 'none' | 'many'
  /** Number of members that are each below the last. */
  line: number
  explorer: string | null
}

export type FakeApi = ReturnType<typeof createFakeApi>

const allCommunities = [
  { id: 'demo', name: '青禾社区' },
  { id: 'maple', name: { 'zh-CN': '枫林社区', 'zh-TW': '楓林社群', en: 'Maple' } },
  { id: 'cedar', name: { 'zh-CN': '雪松社区', 'zh-TW': '雪松社群', en: 'Cedar' }, status: 'indexing' },
  { id: 'birch', name: { 'zh-CN': '白桦社区', 'zh-TW': '白樺社群', en: 'Birch' }, status: 'withheld' },
] as const

/** Creates a fake lookup API over a generated community, as a fetch handler with schema-valid answers. */
export function createFakeApi(initial: Partial<FakeApiState> = {}) {
  const state: FakeApiState = {
    mode: 'ready',
    brokenOn: undefined,
    held: undefined,
    node: 'ready',
    rpcUrls: ['/v1/rpc'],
    block: 41_000_000,
    demo: true,
    communities: 'one',
    withheld: 'referrers_mostly_differ',
    filters: 'cheap',
    names: { service: false, bnb: false },
    warnings: [],
    maps: 'forest',
    grades: 'exact',
    alerts: 'some',
    line: 300,
    explorer: 'https://bscscan.com',
    ...initial,
  }
  /** Path of each request so far. */
  const requests: string[] = []
  const forest = createForest(state.line)
  if (state.grades === 'mixed')
    for (const [index, row] of forest.rows.entries())
      if (index % 3 > 0) row.grade = index % 3 === 1 ? 'between' : 'observed'
  const largeMap = createLargeMaps()
  const asOf = () => ({
    block: state.block,
    timestamp: now + (state.block - 41_000_000) * 3,
    finalizedBlock: state.block - 15,
  })
  const token = { symbol: 'USDT', decimals: 18 }

  const communities = () => {
    const shown = {
      one: allCommunities.slice(0, 1),
      several: allCommunities,
      withheld: allCommunities.slice(3),
      added: [{ ...allCommunities[0], status: 'added' }],
    }
    const status = state.mode === 'withheld' ? 'withheld' : 'ready'
    return shown[state.communities].map((one) => ({ status, ...one }) as const)
  }
  const findIn = (community: string, address: string) => {
    const index = forest.find(address)
    return community === 'demo' || (index ?? 1) % 2 === 0 ? index : undefined
  }

  function answer(path: string, query: URLSearchParams, body: unknown): unknown {
    if (path === '/v1/config')
      return {
        chainId: 56,
        rpcUrls: state.rpcUrls,
        relayProjectId: null,
        relayUrl: null,
        names: state.names,
        demo: state.demo ? { privateKeys: [`0x${'11'.repeat(32)}`], contract: forest.rows[0]?.address } : null,
      }
    if (path === '/v1/resolve-ens') {
      if (!state.names.service) throw problem(404, 'not_found', 'There is no name service here.')
      return { data: forest.find(query.get('address') ?? '') === 1 ? 'qinghe.eth' : null }
    }
    if (state.mode === 'broken') throw problem(503, 'unavailable', 'The index does not answer.')
    if (path === '/v1/alerts')
      return createAlerts(state.alerts === 'none' ? undefined : asOf(), state.alerts === 'many' ? 'next' : null)
    if (path === '/v1/alerts/settings') return createAlertSettings(asOf().timestamp)
    if (path === '/v1/status')
      return {
        state: state.mode === 'indexing' ? 'indexing' : 'ready',
        progress: state.mode === 'indexing' ? { phase: 'indexing', done: 420, total: 1_000 } : null,
        asOf: state.mode === 'indexing' ? null : asOf(),
        headBlock: state.block + 2,
        note: null,
        warnings: state.warnings,
        spotChecks: [{ community: 'demo', checked: 128, differing: 1, unreadable: 0, example: null }],
      }
    if (state.mode === 'indexing')
      throw problem(503, 'indexing', 'Events are being read.', {
        progress: { phase: 'indexing', done: 420, total: 1_000 },
      })
    if (path === '/v1/communities')
      return {
        asOf: asOf(),
        items: communities().map(({ id, name, status }) => ({
          id,
          name,
          status,
          withheld: status === 'withheld' ? state.withheld : null,
          contract: forest.rows[0]?.address,
          chainId: 56,
          startBlock: 40_000_000,
          members: status === 'ready' ? forest.rows.length >> communities().findIndex((one) => one.id === id) : 0,
          tokens: byAmountKind(() => token),
          parent: {
            contract: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
            view: 'function referrerOf(address) view returns (address)',
            args: [null],
            output: [0],
          },
          grades: ['exact', 'between', 'observed'],
          explorer: state.explorer,
        })),
      }
    const [, everywhere] = path.match(/^\/v1\/addresses\/(\w+)$/) ?? []
    if (everywhere !== undefined)
      return {
        asOf: asOf(),
        items: communities().map(({ id, name, status }) => {
          const index = findIn(id, everywhere)
          const member = index === undefined || status !== 'ready' ? null : forest.member(index)
          return { community: id, name, asOf: asOf(), status, member }
        }),
      }
    const [, community = '', rest] = path.match(/^\/v1\/communities\/(\w+)(\/.*)$/) ?? []
    if (rest === undefined || !communities().some(({ id }) => id === community))
      throw problem(404, 'community_not_found', 'There is no such community.')
    if (community === 'cedar') throw problem(503, 'indexing', 'Events are being read.')
    if (community === 'birch' || state.mode === 'withheld') throw problem(409, 'withheld', 'Many referrers differ.')
    if (rest === '/metrics') {
      const tz = query.get('tz') ?? 'UTC'
      const asked = query.get('asOf')
      const from = Number(query.get('depthFrom') ?? 0)
      const to = Number(query.get('depthTo') ?? Number.POSITIVE_INFINITY)
      const cut = (all: Metrics) => ({ ...all, depths: all.depths.slice(from, to + 1) })
      if (asked === null) return cut(metrics(tz))
      const { until, at } = momentOf(asked, tz)
      return { ...cut(metrics(tz, until)), at, until }
    }
    const periods = createPeriods({ forest, asOf: asOf(), query })
    if (rest === '/risers') return periods.risers(undefined)
    if (rest === '/activity') return periods.activity(undefined)
    if (rest === '/map') return { asOf: asOf(), tz: query.get('tz') ?? 'UTC', ...forest.map(undefined, byOf(query)) }
    if (rest === '/events') {
      const statuses = ['bound', 'bound', 'duplicate', 'bound', 'self', 'cycle'] as const
      const end = Number(query.get('to') ?? asOf().timestamp)
      // One more with each block, like the number of members.
      const items = Array.from({ length: Number(query.get('limit') ?? 50) }, (_, at) => {
        const row = forest.rows[forest.rows.length - 1 - (at % 40)]
        return {
          address: row?.address,
          referrer: forest.rows[row?.referrer ?? 0]?.address,
          status: statuses[at % statuses.length],
          block: state.block - at,
          logIndex: 0,
          timestamp: row?.grade ? null : end - at * 3,
          tx: `0x${'ab'.repeat(32)}`,
          grade: row?.grade ?? 'exact',
          between: row?.grade ? { from: 40_000_000, to: state.block - at } : null,
        }
      })
      const asked = query.get('status')?.split(',')
      return {
        asOf: asOf(),
        items: items.filter(({ status }) => asked?.includes(status ?? '') ?? true),
        nextCursor: null,
      }
    }
    if (rest === '/search') {
      const q = (query.get('q') ?? '').toLowerCase()
      const found = forest.rows.flatMap((row, index) => (row.address.toLowerCase().startsWith(q) ? [index] : []))
      const limit = Number(query.get('limit') ?? 10)
      return { asOf: asOf(), items: found.slice(0, limit).map(forest.summary), more: found.length > limit }
    }
    if (rest === '/members/batch')
      return {
        asOf: asOf(),
        items: (body as { addresses: string[] }).addresses.map((input) => {
          const index = forest.find(input)
          if (index !== undefined) return { input, card: forest.member(index), error: null }
          return { input, card: null, error: { code: 'member_not_found', detail: 'There is no such member.' } }
        }),
      }
    if (rest.startsWith('/relation')) return relation(rest, query, community)
    const [, address = '', part = ''] = rest.match(/^\/members\/([^/]+)(?:\/(\w+))?$/) ?? []
    if (!addressPattern.test(address)) throw problem(400, 'invalid_address', 'This is not an address.')
    if (part === 'map' && state.maps === 'large') return { asOf: asOf(), tz: 'UTC', ...largeMap(getAddress(address)) }
    const index = findIn(community, address)
    if (index === undefined) throw problem(404, 'member_not_found', 'The community has no such member.')
    const limit = Number(query.get('limit') ?? 50)
    const start = Number(query.get('cursor') ?? query.get('skip') ?? 0)
    const page = <item>(items: item[]) => ({
      asOf: asOf(),
      items: items.slice(start, start + limit),
      nextCursor: start + limit < items.length ? String(start + limit) : null,
    })
    const tz = query.get('tz') ?? 'UTC'
    const timeOf = (name: string, edge: 'first' | 'last') => readTime(query.get(name) ?? '', edge, tz)
    const past = query.has('asOf') ? pastOf(index, part, query, tz) : undefined
    if (past) return part.startsWith('refer') ? { ...past, ...page<unknown>(past.items ?? []) } : past
    switch (part) {
      case '':
        return { asOf: asOf(), ...forest.member(index) }
      case 'map':
        return { asOf: asOf(), tz, ...forest.map(index, byOf(query)) }
      case 'levels':
        return {
          asOf: asOf(),
          items: rangeOf(forest.levels(index), query).map(([level, of]) => ({
            level,
            count: of.length,
            volume: String(of.reduce((sum, child) => sum + (forest.rows[child]?.ownVolume ?? 0n), 0n)),
          })),
        }
      case 'compare': {
        const from = timeOf('from', 'first') - 1
        const to = timeOf('to', 'last')
        const first = forest.rows[0]?.joinedAt ?? 0
        if (to < first) throw problem(400, 'moment_before_start', 'Before the first block.', { parameter: 'to' })
        const joined = (child: number) => forest.rows[child]?.joinedAt ?? 0
        const team = (of: number, until: number) =>
          forest
            .levels(of)
            .flat()
            .filter((child) => joined(child) <= until)
        const then = (until: number) => {
          const { rewards: _, largestLeg: __, ...rest } = forest.member(index)
          const directs = (forest.rows[index]?.children ?? []).filter((child) => joined(child) <= until).length
          const member = { ...rest, directs, team: team(index, until).length }
          const undated = team(index, to).filter((child) => forest.rows[child]?.grade && joined(child) > until).length
          return { at: { block: null, timestamp: until, undated }, member: joined(index) <= until ? member : null }
        }
        // Each member has its amounts when it joins.
        const amountsOf = (of: number[]) => {
          const within = of.filter((child) => joined(child) > from && joined(child) <= to)
          return { volume: volumeOf(within), rewards: rewardsOf(within) }
        }
        const came = team(index, to)
          .filter((child) => joined(child) > from)
          .sort((a, b) => joined(b) - joined(a))
        const changes = (forest.rows[index]?.children ?? []).map((child) => {
          const size = (until: number) => (joined(child) <= until ? team(child, until).length + 1 : 0)
          return {
            address: addressOf(child),
            from: size(from),
            to: size(to),
            ...amountsOf([child, ...team(child, to)]),
          }
        })
        const legs = changes.filter((leg) => leg.from !== leg.to).sort((a, b) => b.to - b.from - (a.to - a.from))
        return {
          asOf: asOf(),
          from: then(from),
          to: then(to),
          amounts: { own: amountsOf([index]), team: amountsOf(team(index, to)) },
          came: {
            count: came.length,
            undated: came.filter((child) => forest.rows[child]?.grade).length,
            items: came.slice(0, 50).map(forest.summary),
          },
          left: 0,
          legs: legs.slice(0, 50),
          legsChanged: legs.length,
        }
      }
      case 'amounts':
        return periods.amounts(index)
      case 'ranks':
        return periods.ranks(index)
      case 'risers':
        return periods.risers(index)
      case 'activity':
        return periods.activity(index)
      case 'events':
        return memberEvents(index, query)
      case 'growth': {
        const interval = (query.get('interval') ?? 'day') as GrowthInterval
        const { periods, dayOf } = createCalendar(tz)
        const team = forest.levels(index).flat()
        const dated = team.filter((child) => !forest.rows[child]?.grade)
        const joins = dated.map((child) => forest.rows[child]?.joinedAt ?? now)
        let total = 0
        const items = periods(interval, Math.min(...joins), now).map((from, at, starts) => {
          const end = starts[at + 1] ?? Number.POSITIVE_INFINITY
          const members = joins.filter((joined) => joined >= from && joined < end).length
          total += members
          return { from: dayOf(from), members, total }
        })
        const undated = team.length - dated.length
        return { asOf: asOf(), interval, tz, undated, items: joins.length > 0 ? items : [] }
      }
      case 'referrals': {
        const asked = query.get('level') ?? '1'
        const all = forest
          .levels(index)
          .flatMap((level, at) => level.map((child) => ({ ...forest.summary(child), level: at + 1 })))
        const number = (name: string, otherwise: number) => Number(query.get(name) ?? otherwise)
        const isFiltered = filterNames.some((name) => query.has(name))
        const passing = all.filter(
          (item) =>
            ((isFiltered && !query.has('level')) || asked === 'all' || item.level === Number(asked)) &&
            (query.get('grade') ?? item.grade) === item.grade &&
            lastJoin(item) >= timeOf('activeSince', 'first') &&
            item.level >= number('levelFrom', 1) &&
            item.level <= number('levelTo', Number.POSITIVE_INFINITY) &&
            item.team >= number('minTeam', 0) &&
            BigInt(item.teamVolume) + BigInt(item.ownVolume) >= BigInt(query.get('minVolume') ?? 0) &&
            item.address.toLowerCase().startsWith((query.get('prefix') ?? '').toLowerCase()) &&
            query.get('bound') !== 'false',
        )
        const isByDay = query.has('joinedFrom') || query.has('joinedTo')
        const items = passing.filter(
          ({ joinedAt }) =>
            !isByDay ||
            (joinedAt !== null &&
              joinedAt >= timeOf('joinedFrom', 'first') &&
              (!query.has('joinedTo') || joinedAt <= timeOf('joinedTo', 'last'))),
        )
        const isCostly = isFiltered && state.filters === 'costly'
        if (isCostly && (query.get('sort') ?? 'joined') !== 'joined')
          throw problem(422, 'too_costly', 'Too many pass the filter to be sorted in time.')
        const sort = query.get('sort') ?? 'joined'
        const order = query.get('order') ?? (sort === 'joined' ? 'asc' : 'desc')
        const key = (item: (typeof items)[number]) =>
          sort === 'team'
            ? item.team
            : sort === 'volume'
              ? Number(item.ownVolume) + Number(item.teamVolume)
              : lastJoin(item)
        items.sort((a, b) => (order === 'asc' ? key(a) - key(b) : key(b) - key(a)))
        if (query.has('from') || query.has('to') || sort.startsWith('period')) {
          const { items: found, key: amountOf } = periods.referrals(items, sort)
          if (!amountOf) return { ...page(found), count: { value: found.length, relation: 'exact' } }
          const sorted = found
            .filter((item) => amountOf(item) > 0n)
            .sort((a, b) => (amountOf(a) < amountOf(b) === (order === 'desc') ? 1 : -1))
          return { ...page(sorted), count: { value: sorted.length, relation: 'exact' } }
        }
        if (!isFiltered) return page(items)
        const relation = isCostly ? ('atLeast' as const) : ('exact' as const)
        const undated = isByDay ? passing.filter(({ joinedAt }) => joinedAt === null).length : 0
        return {
          ...page(items),
          count: { value: isCostly ? Math.min(items.length, 10) : items.length, relation },
          ...(isByDay && { undated: { value: undated, relation } }),
        }
      }
      case 'referrers': {
        const chain = []
        for (let at = forest.rows[index]?.referrer; at !== undefined; at = forest.rows[at]?.referrer)
          chain.push(forest.summary(at))
        return page(chain)
      }
      default:
        throw problem(404, 'not_found', 'There is nothing here.')
    }
  }

  /** Returns when a member joined, or at the latest may have. */
  const lastJoin = ({ address }: { address: string }) => forest.rows[forest.find(address) ?? 0]?.joinedAt ?? 0

  /** Returns the time of a moment in seconds, and its name in the answer. */
  function momentOf(text: string, tz: string) {
    const block = /^\d+$/.test(text) ? Number(text) : null
    if (block === null && !isDay(text)) throw problem(400, 'invalid_parameter', 'It must be a day.')
    if (block !== null && block > state.block) throw problem(400, 'block_not_indexed', 'The block is not indexed.')
    if (block === null && readTime(text, 'first', tz) > asOf().timestamp)
      throw problem(400, 'moment_in_future', 'It has not begun.')
    const rows = block === null ? undefined : forest.rows[Math.min(block - 40_000_000, forest.rows.length - 1)]
    const until = block === null ? Math.min(readTime(text, 'last', tz), asOf().timestamp) : rows?.joinedAt
    if (until === undefined || until < (forest.rows[0]?.joinedAt ?? 0))
      throw problem(400, 'moment_before_start', 'The community had no member.')
    return { until, at: { block, timestamp: block === null ? until : null, undated: 0 } }
  }

  /** Returns a member at a past moment: with the members that had joined by then, at their current places. */
  const volumeOf = (of: readonly number[]) =>
    String(of.reduce((sum, child) => sum + (forest.rows[child]?.ownVolume ?? 0n), 0n))
  const rewardsOf = (of: readonly number[]) =>
    String(of.reduce((sum, child) => sum + (forest.rows[child]?.rewards ?? 0n), 0n))

  function pastOf(index: number, part: string, query: URLSearchParams, tz: string) {
    const { until, at } = momentOf(query.get('asOf') ?? '', tz)
    const hasAmounts = query.get('amounts') === 'true'
    const joined = (child: number) => (forest.rows[child]?.joinedAt ?? 0) <= until
    const isUncertain = (child: number) => !joined(child) && forest.rows[child]?.grade !== undefined
    if (isUncertain(index)) throw problem(404, 'moment_uncertain', 'It is not known whether it was bound.')
    if (!joined(index)) throw problem(404, 'member_not_found', 'No event had named it.')
    at.undated = forest.levels(index).flat().filter(isUncertain).length
    const levels = forest
      .levels(index)
      .map((level) => level.filter(joined))
      .filter((level) => level.length > 0)
    const summary = (of: number) => {
      const { ownVolume: _, teamVolume: __, team: ___, ...rest } = forest.summary(of)
      return { ...rest, directs: forest.rows[of]?.children.filter(joined).length ?? 0 }
    }
    const base = { asOf: asOf(), at }
    const team = levels.flat().length
    const { root, block, between } = forest.member(index)
    if (part === '')
      return {
        ...{ ...base, ...summary(index), root, block, between, team, maxLevel: levels.length, items: undefined },
        ...(hasAmounts && {
          ownVolume: volumeOf([index]),
          teamVolume: volumeOf(levels.flat()),
          rewards: rewardsOf([index]),
          teamRewards: rewardsOf(levels.flat()),
        }),
      }
    if (part === 'levels')
      return {
        ...base,
        items: rangeOf(levels, query).map(([level, of]) => ({ level, count: of.length })),
      }
    if (part === 'referrers') return { ...base, items: forest.upline(index).slice(1).map(summary) }
    const minTeam = Number(query.get('minTeam') ?? 0)
    const asked = query.get('level') ?? (minTeam > 0 ? 'all' : '1')
    const items = levels
      .flatMap((of, at) => of.map((child) => ({ child, level: at + 1 })))
      .filter(({ level }) => asked === 'all' || level === Number(asked))
      .map(({ child, level }) => ({
        ...summary(child),
        team: forest.levels(child).flat().filter(joined).length,
        level,
      }))
      .filter(({ team: size }) => size >= minTeam)
    return { ...base, items, ...(minTeam > 0 && { count: { value: items.length, relation: 'exact' } }) }
  }

  /** Returns the bind of a member, those of its directs with a reward each, and its volume, which grows with each block. */
  function memberEvents(index: number, query: URLSearchParams): MemberEvents {
    const bindOf = (of: number) => {
      const { joinedAt, grade, between } = forest.member(of)
      return { timestamp: joinedAt, grade: grade ?? 'exact', between }
    }
    const eventOf = (of: number, event: Partial<MemberEvents['items'][number]>) => ({
      kind: 'reward' as const,
      address: addressOf(index),
      referrer: null,
      status: null,
      amount: null,
      from: null,
      block: 40_000_000 + of,
      logIndex: 0,
      timestamp: forest.rows[of]?.joinedAt ?? now,
      tx: forest.member(of).tx ?? `0x${'ab'.repeat(32)}`,
      grade: 'exact' as const,
      between: null,
      ...event,
      ...((event.kind === 'bind' || event.kind === 'referral') && bindOf(of)),
    })
    const { referrer, children = [], ownVolume } = forest.rows[index] ?? {}
    const newer = Array.from({ length: state.block - 41_000_000 }, (_, at) =>
      eventOf(index, { kind: 'volume', amount: '5', block: 41_000_001 + at, timestamp: now + at * 3 }),
    )
    const all = [
      ...newer.reverse(),
      ...children.toReversed().flatMap((child) => [
        eventOf(child, { logIndex: 1, amount: String(10n ** 17n * BigInt(child)), from: addressOf(child) }),
        eventOf(child, {
          kind: 'referral',
          address: addressOf(child),
          referrer: addressOf(index),
          status: child % 9 === 0 ? 'duplicate' : 'bound',
        }),
      ]),
      eventOf(index, { kind: 'volume', logIndex: 1, amount: String(ownVolume) }),
      ...(referrer === undefined
        ? []
        : [eventOf(index, { kind: 'bind', referrer: addressOf(referrer), status: 'bound' })]),
    ].filter(({ kind }) => (query.get('kind') ?? kind) === kind)
    const [block = Number.POSITIVE_INFINITY, logIndex = 0] = (query.get('cursor') ?? '')
      .split('-')
      .filter(Boolean)
      .map(Number)
    const rest = all.filter((event) => event.block < block || (event.block === block && event.logIndex < logIndex))
    const items = rest.slice(0, Number(query.get('limit') ?? 50))
    const last = items.at(-1)
    return {
      asOf: asOf(),
      items,
      nextCursor: last && items.length < rest.length ? `${last.block}-${last.logIndex}` : null,
    }
  }

  const byOf = (query: URLSearchParams) => (query.get('by') === 'volume' ? 'volume' : 'members')

  /** Every member of the two teams was bound once, and every third of the first tried to bind to the other leader later. */
  function pairBinds(pair: [number, number], past: ReturnType<typeof momentOf> | undefined, query: URLSearchParams) {
    const tz = query.get('tz') ?? 'UTC'
    const teams = pair.map((top) => new Set([top, ...forest.levels(top).flat()])) as [Set<number>, Set<number>]
    const sideOf = (index: number) => (teams[1].has(index) ? 'b' : teams[0].has(index) ? 'a' : null)
    const [from, until] = [readTime(query.get('from') ?? 0, 'first', tz), readTime(query.get('to') ?? now, 'last', tz)]
    const bindOf = (index: number, later: number) => {
      const { address, grade, ...row } = forest.summary(index)
      const block = (row.block ?? 40_000_000) + later
      return {
        ...{
          address,
          referrer: row.referrer ?? zeroAddress,
          block,
          logIndex: 0,
          grade: grade ?? 'exact',
          between: null,
        },
        ...{
          status: later ? 'duplicate' : 'bound',
          timestamp: (row.joinedAt ?? now) + later,
          tx: `0x${'ab'.repeat(32)}`,
        },
      }
    }
    const all = [...new Set([...teams[0], ...teams[1]])].flatMap((index) => {
      const referrerSide = sideOf(forest.rows[index]?.referrer ?? -1)
      const { status: _, address: __, ...held } = bindOf(index, 0)
      const bound = { ...bindOf(index, 0), memberSide: sideOf(index), referrerSide, held: null }
      if (index % 3 > 0 || bound.memberSide === 'b') return [bound]
      const named = { ...bindOf(index, 60), referrer: addressOf(pair[1]), memberSide: 'a', referrerSide: 'b' }
      return [bound, { ...named, held: { ...held, referrerSide } }]
    })
    const items = all
      .filter(({ timestamp }) => timestamp >= from && timestamp <= Math.min(until, past?.until ?? now))
      .sort((one, other) => one.timestamp - other.timestamp)
    const start = Number(query.get('cursor') ?? 0)
    const end = start + Number(query.get('limit') ?? 50)
    return {
      at: past?.at ?? { block: asOf().block, timestamp: null, undated: 0 },
      ...{ a: addressOf(pair[0]), b: addressOf(pair[1]), items: items.slice(start, end) },
      nextCursor: end < items.length ? String(end) : null,
    }
  }

  function relation(rest: string, query: URLSearchParams, community: string): unknown {
    const [a, b] = (['a', 'b'] as const).map((parameter) => {
      const index = findIn(community, query.get(parameter) ?? '')
      if (index === undefined)
        throw problem(404, 'member_not_found', `${parameter}: There is no such member.`, { parameter })
      return index
    }) as [number, number]
    const past = query.has('asOf') ? momentOf(query.get('asOf') ?? '', query.get('tz') ?? 'UTC') : undefined
    for (const [parameter, index] of Object.entries({ a, b }))
      if (past && (forest.rows[index]?.joinedAt ?? 0) > past.until)
        throw problem(404, 'member_not_found', `${parameter}: No event had named it.`, { parameter })
    const [upA, upB] = [forest.upline(a), forest.upline(b)]
    const common = upA.find((index) => upB.includes(index)) ?? 0
    const [stepsA, stepsB] = [upA.indexOf(common), upB.indexOf(common)]
    if (rest === '/relation/binds') return { asOf: asOf(), ...pairBinds([a, b], past, query) }
    if (rest === '/relation')
      return {
        asOf: asOf(),
        ...(past && { at: past.at }),
        a: addressOf(a),
        b: addressOf(b),
        relation: a === b ? 'same' : stepsA === 0 ? 'above' : stepsB === 0 ? 'below' : 'sideways',
        common: addressOf(common),
        stepsA,
        stepsB,
      }
    const line = [...upA.slice(0, stepsA + 1), ...upB.slice(0, stepsB).reverse()]
    const from = Number(query.get('cursor') ?? 0)
    const end = from + Number(query.get('limit') ?? 50)
    return {
      asOf: asOf(),
      ...(past && { at: past.at }),
      items: line.slice(from, end).map((index, at) => {
        const step = from + at
        const side = step < stepsA ? 'a' : step === stepsA ? 'common' : 'b'
        return { ...forest.summary(index), step, side }
      }),
      nextCursor: end < line.length ? String(end) : null,
    }
  }

  /** Returns the figures of those who had joined by a time, at their current places. */
  function metrics(tz: string, last?: number): Metrics {
    const newest = last ?? asOf().timestamp
    const rows = forest.rows.filter(({ joinedAt }) => joinedAt <= newest)
    const { periods, dayOf } = createCalendar(tz)
    const starts = periods('day', rows[0]?.joinedAt ?? now, newest)
    const series = starts.map((from) => ({
      day: dayOf(from),
      members: 0,
      totalMembers: 0,
      volume: '0',
      rewards: '0',
    }))
    for (const row of rows) {
      const today = series[starts.findLastIndex((from) => from <= row.joinedAt)]
      if (!today) continue
      if (!row.grade) today.members++
      today.volume = String(BigInt(today.volume) + row.ownVolume)
      today.rewards = String(BigInt(today.rewards) + row.rewards)
    }
    let total = 0
    for (const today of series) {
      total += today.members
      today.totalMembers = total
    }
    const since = (days: number) => sumOf(days, 0)
    const before = (days: number) => sumOf(days, days)
    const sumOf = (days: number, ago: number) => {
      const until = newest - ago * 86_400
      const recent = rows.filter((row) => row.joinedAt > until - days * 86_400 && row.joinedAt <= until)
      return {
        members: recent.filter((row) => !row.grade).length,
        volume: String(recent.reduce((sum, row) => sum + row.ownVolume, 0n)),
        rewards: String(recent.reduce((sum, row) => sum + row.rewards, 0n)),
      }
    }
    const leaders = (by: (row: (typeof rows)[number]) => number) =>
      rows
        .toSorted((a, b) => by(b) - by(a))
        .slice(0, 10)
        .map((row) => ({
          address: row.address,
          directs: row.children.length,
          team: row.team,
          teamVolume: String(row.teamVolume),
        }))
    const depths = new Map<number, number>()
    for (const row of rows) depths.set(row.depth, (depths.get(row.depth) ?? 0) + 1)
    const ranges = [
      [0, 0],
      [1, 1],
      [2, 2],
      [3, 5],
      [6, 10],
      [11, 50],
      [51, null],
    ] as const
    const referrers = rows.filter((row) => row.children.length > 0).length
    return {
      asOf: asOf(),
      tz,
      // One more with each block, so that live updates are visible.
      members: rows.length + (last === undefined ? state.block - 41_000_000 : 0),
      referrers,
      undated: rows.filter((row) => row.grade).length,
      roots: 1,
      maxDepth: Math.max(...depths.keys()),
      averageDirects: (rows.length - 1) / referrers,
      volume: String(rows.reduce((sum, row) => sum + row.ownVolume, 0n)),
      rewards: String(rows.reduce((sum, row) => sum + row.rewards, 0n)),
      last24h: since(1),
      last7d: since(7),
      last30d: since(30),
      previous: { last24h: before(1), last7d: before(7), last30d: before(30) },
      dirty: { self: 3, duplicate: 12, cycle: 2, placeholder: 1 },
      series,
      depths: [...depths].sort(([a], [b]) => a - b).map(([depth, count]) => ({ depth, count })),
      directsHistogram: ranges.map(([from, to]) => ({
        from,
        to,
        count: rows.filter(
          (row) => row.children.length >= from && row.children.length <= (to ?? Number.POSITIVE_INFINITY),
        ).length,
      })),
      leaders: {
        team: leaders((row) => row.team),
        directs: leaders((row) => row.children.length),
        volume: leaders((row) => Number(row.teamVolume)),
      },
    }
  }

  /**
   * Answers like a minimal node: kinds and balances of accounts, one name, and times of blocks. Every tenth address
   * is a contract, every eleventh is delegated.
   */
  function rpc(body: { id: number; method: string; params: [{ data: Hex } | Hex] }): unknown {
    const [asked] = body.params
    if (typeof asked === 'string') return rpcBlock(body.id, Number(asked))
    const { data } = asked
    const isAsked = state.node === 'ready' && body.method === 'eth_call'
    const result = !isAsked
      ? undefined
      : data.startsWith(accounts.bytecode)
        ? encodeAbiParameters(words, [readAccounts(data).map(toWord)])
        : data.startsWith(toFunctionSelector(getAbiItem({ abi: multicall3Abi, name: 'aggregate3' })))
          ? encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result: readNames(data) })
          : undefined
    return { jsonrpc: '2.0', id: body.id, ...(result ? { result } : { error: { code: -32601, message: 'not here' } }) }
  }

  /** Blocks have come every 31 seconds since the first member joined. */
  function rpcBlock(id: number, block: number): unknown {
    const { block: newest, timestamp } = asOf()
    if (state.node === 'broken') return { jsonrpc: '2.0', id, error: { code: -32601, message: 'not here' } }
    return { jsonrpc: '2.0', id, result: { timestamp: `0x${(timestamp - (newest - block) * 31).toString(16)}` } }
  }

  const named = { address: addressOf(1), name: 'qinghe.bnb' }
  const nodes = [namehash(`${named.address.slice(2).toLowerCase()}.addr.reverse`), namehash(named.name)]
  function readNames(data: Hex) {
    const [calls] = decodeFunctionData({ abi: multicall3Abi, data }).args as unknown as [{ callData: Hex }[]]
    return calls.map(({ callData }) => {
      const { functionName, args } = decodeFunctionData({ abi: registry, data: callData })
      const isKnown = nodes.includes(args[0])
      const value = functionName === 'addr' ? named.address : addressOf(9_999)
      const returnData =
        functionName === 'name' || functionName === 'text'
          ? encodeAbiParameters(parseAbiParameters('string'), [isKnown && functionName === 'name' ? named.name : ''])
          : encodeAbiParameters(parseAbiParameters('address'), [isKnown ? value : zeroAddress])
      return { success: true, returnData }
    })
  }

  const words = parseAbiParameters('uint256[]')
  const readAccounts = (data: Hex) =>
    decodeAbiParameters(parseAbiParameters('address[]'), `0x${data.slice(accounts.bytecode.length)}`)[0]
  function toWord(address: string) {
    const number = BigInt(address) % 110n
    const kind = number % 10n === 0n ? 1n : number % 11n === 0n ? 2n : 0n
    return (kind << 248n) | (number ** 3n * 10n ** 14n)
  }

  async function handle(request: Request): Promise<Response> {
    const { pathname, search, searchParams } = new URL(request.url)
    requests.push(pathname)
    if (state.mode === 'silent') return Response.error()
    if (state.brokenOn && `${pathname}${search} ${await request.clone().text()}`.includes(state.brokenOn))
      return problem(503, 'unavailable', 'The index does not answer.')
    if (/\/(batch|map)$/.test(pathname)) await state.held
    if (pathname === '/v1/rpc') return Response.json(rpc(await request.json()))
    try {
      const body = request.method === 'POST' ? await request.json() : undefined
      return Response.json(answer(pathname, searchParams, body))
    } catch (error) {
      if (error instanceof Response) return error
      throw error
    }
  }
  return { state, forest, handle, requests }
}

/** Returns the levels that a request asks for, each with its number. */
function rangeOf(levels: number[][], query: URLSearchParams): [level: number, members: number[]][] {
  const from = Number(query.get('levelFrom') ?? 1)
  const to = Number(query.get('levelTo') ?? levels.length)
  return levels.slice(from - 1, to).map((members, at) => [from + at, members])
}

function problem(status: number, code: ProblemCode, detail: string, more: Partial<Problem> = {}): Response {
  return Response.json(
    { type: 'about:blank', title: code, status, detail, code, ...more },
    { status, headers: { 'content-type': 'application/problem+json' } },
  )
}
