import * as z from 'zod'
import * as example from '../examples.ts'
import { toAnswer, toExample } from '../examples.ts'
import type { lookupRoutes } from '../routes.ts'
import { batchRequest, memberEventKind } from '../schemas.ts'
import type { DetailsOf, ProblemCode } from './details.ts'
import {
  asOf,
  cursor,
  filters,
  interval,
  limit,
  moment,
  ofCommunity,
  ofFilters,
  ofMember,
  ofMoment,
  order,
  pair,
  pastAmounts,
  positive,
  prefix,
  range,
  time,
  tx,
  tz,
  whole,
} from './parameters.ts'

const mapQuery = {
  by: {
    schema: z.enum(['members', 'volume']).default('members'),
    description: 'What makes a leg large: its members, or its own and team volume.',
  },
  tz,
} as const
const risersQuery = {
  by: {
    schema: z.enum(['members', 'volume', 'rewards']).default('members'),
    description: 'What came to the team: members who joined in the range, or amounts of the team at its end.',
  },
  ...range,
  limit: { ...limit, schema: limit.schema.unwrap().default(10) },
} as const
const activityQuery = {
  interval,
  from: { ...time, description: 'The first day or time. Defaults to 30 days, 26 weeks or 24 months before `to`.' },
  to: { ...time, description: 'The last day or time, whose members and teams are counted. Defaults to now.' },
  tz,
} as const
const ofActivity = ['invalid_parameter', 'too_costly', 'unavailable'] as const
const statuses = 'bound|self|duplicate|cycle'
const ofEvents = {
  kind: {
    schema: memberEventKind,
    description: 'Only events of this kind. `referral` is a bind of another address that names the member.',
  },
} as const

/** Describes a file of a whole community as CSV. */
const csvFile = (content: string, own: readonly ProblemCode[], response: string) =>
  ({
    summary: `${content}, as CSV`,
    query: {
      tz: { ...tz, description: 'Time zone of days, and of the times that spreadsheets read, such as Asia/Shanghai.' },
    },
    type: 'text/csv',
    problems: [...ofCommunity, 'invalid_parameter', ...own],
    example: toExample(response),
  }) as const

/** Describes a file of a whole community as Parquet. */
const parquetFile = (content: string, own: readonly ProblemCode[]) =>
  ({
    summary: `${content}, as Parquet`,
    type: 'application/vnd.apache.parquet',
    problems: [...ofCommunity, 'invalid_parameter', ...own],
  }) as const

export const lookups = {
  communities: {
    summary: 'All communities',
    title: 'Communities',
    description:
      'Lists the communities with their ids, number of members, tokens and first blocks. Call it first: most other tools need the id of a community.',
    problems: ['indexing', 'invalid_parameter'],
    example: toAnswer({ items: [example.community] }),
  },
  addresses: {
    summary: 'Card of an address in every community, or that it is no member there; without `tx`',
    title: 'An address in all communities',
    description:
      'Says in which communities an address is a member, with its card in each. Use it when you have an address and no community; with a community, use `member`.',
    problems: ['indexing', 'invalid_address', 'invalid_parameter'],
    example: toAnswer({
      items: [
        {
          community: example.community.id,
          name: example.community.name,
          asOf: example.newestBlock,
          status: 'ready',
          member: example.card,
        },
      ],
    }),
  },
  metrics: {
    summary: 'Totals, daily series, levels, distribution and leaders of a community',
    title: 'Figures of a community',
    description:
      'Totals of a whole community, its growth in 24 hours, 7 and 30 days, and its top ten by team, directs and volume. With `asOf`, as they were then. `detail: full` adds the daily series, the members on each depth and the distribution of directs. For the team of one member use `member` or `growth`.',
    query: {
      asOf,
      tz,
      series: {
        schema: z.enum(['full', 'members']).default('full'),
        description: '`members`: days with their new members only. The rest of them is most of the answer.',
      },
      depthFrom: { ...whole, description: 'First depth in `depths`.' },
      depthTo: { ...whole, description: 'Last depth in `depths`.' },
    },
    problems: [...ofCommunity, ...ofMoment, 'contradictory_filter', 'unavailable'],
    example: toAnswer({
      tz: 'UTC',
      members: 4012,
      referrers: 803,
      roots: 3,
      maxDepth: 41,
      averageDirects: 4.99,
      volume: '512000000000000000000000',
      rewards: '10240000000000000000000',
      last24h: example.period,
      last7d: example.period,
      last30d: example.period,
      previous: { last24h: example.period, last7d: example.period, last30d: example.period },
      dirty: { self: 3, duplicate: 4, cycle: 2, placeholder: 1 },
      undated: 0,
      series: [{ day: example.day, totalMembers: 4012, ...example.period }],
      depths: [{ depth: 0, count: 3 }],
      directsHistogram: [{ from: 501, to: null, count: 1 }],
      leaders: { team: [example.leader], directs: [example.leader], volume: [example.leader] },
    }),
  },
  map: {
    summary: 'Map of a community: its largest legs, and the rest beside them',
    title: 'Largest legs of a community',
    description:
      'The largest roots of a community with the size and growth of their legs, and the sum of all others. `detail: full` adds the largest legs below them. For one member use `teamMap`; for totals use `metrics`.',
    query: mapQuery,
    problems: [...ofCommunity, 'invalid_parameter'],
    example: toAnswer({
      by: 'members',
      tz: 'UTC',
      since: '2025-10-22',
      items: [example.mapItem],
      rest: example.mapItem.rest,
    }),
  },
  risers: {
    summary: 'Members whose teams grew most in a range of days or blocks, with their ranks',
    title: 'Teams that grew most',
    description:
      'Lists the members whose teams grew most in a range of days or blocks, by new members, volume or rewards, with ranks that equal ones share. Use `teamRisers` within one team, and `metrics` for the largest teams of all time.',
    query: risersQuery,
    problems: [...ofCommunity, ...ofMoment, 'unavailable'],
    example: toAnswer({
      by: 'members',
      after: null,
      to: { block: 68_000_000, timestamp: null },
      undated: 0,
      items: [{ address: example.member, rank: 1, members: 31 }],
    }),
  },
  activity: {
    summary: 'Number of members who were bound, bought or brought a member, by day, week or month',
    title: 'Active members of a community',
    description:
      'Counts the members who were bound, bought or brought a member, by day, week or month. Use `teamActivity` for one team.',
    query: activityQuery,
    problems: [...ofCommunity, ...ofActivity],
    example: toAnswer(example.activity),
  },
  search: {
    summary: 'Members whose address starts with a prefix',
    title: 'Addresses by their start',
    description:
      'Finds members whose address starts with some hex digits. Use it for an incomplete address; with a whole one, use `member` or `addresses`.',
    query: { q: { ...prefix, isRequired: true }, limit },
    problems: [...ofCommunity, 'invalid_parameter'],
    example: toAnswer({ items: [example.summary], more: false }),
  },
  events: {
    summary: 'Binds with their status: the newest, those of a range of days, or all from the oldest on',
    title: 'Newest binds of a community',
    description:
      'Lists the binds of a community with their status, the newest first; with `status`, only irregular ones, for example. Use `memberEvents` for those of one address.',
    query: {
      from: { ...time, description: 'Of this day or later, or of this time in Unix seconds. Not with `status`.' },
      to: { ...time, description: 'Of this day or earlier, or of this time in Unix seconds. Not with `status`.' },
      tz,
      order: {
        schema: z.enum(['asc', 'desc']).default('desc'),
        description:
          '`asc`: from the oldest on, of final blocks only, with `resume` to go on later. For programs that keep a copy. Not with `status`.',
      },
      status: {
        schema: z.string().regex(new RegExp(`^(${statuses})(,(${statuses})){0,3}$`)),
        description:
          'Only binds of this status: `bound`, or the irregular `self`, `duplicate` and `cycle`, or several with commas. A page may have fewer items than `limit`.',
        expected: 'bound, self, duplicate or cycle, or several with commas',
      },
      limit,
      cursor,
    },
    problems: [
      ...ofCommunity,
      'invalid_parameter',
      'invalid_cursor',
      'contradictory_filter',
      'events_replaced',
      'unavailable',
    ],
    example: toAnswer({ items: [example.exactBind], nextCursor: '46823114-87' }),
  },
  eventsCsv: csvFile(
    'All binds, volumes and rewards at one block, the oldest first',
    ['unavailable'],
    `\uFEFFtime,time UTC,kind,address,referrer,status,amount,decimal,token,from,block,logIndex,tx,grade,firstBlock,lastBlock,asOfBlock\r\n2025-03-01T00:00:00Z,2025-03-01 00:00:00,bind,${example.member},${example.referrer},bound,,,,,46823114,88,${example.txHash},exact,,,68123456\r\n`,
  ),
  eventsParquet: parquetFile('All binds, volumes and rewards at one block, the oldest first', ['unavailable']),
  seriesCsv: csvFile(
    'New and all members, volume and rewards of each day',
    [],
    `\uFEFFday,members,totalMembers,volume,volume USDT,rewards,rewards USDT,asOfBlock\r\n${example.day},31,4012,9200000000000000000000,9200,184000000000000000000,184,68123456\r\n`,
  ),
  seriesParquet: { ...parquetFile('New and all members, volume and rewards of each day', []), query: { tz } },
  roots: {
    summary: 'Members without a referrer, and placeholders, with their number',
    title: 'Roots of a community',
    description:
      'Lists the members without a referrer and the placeholders, at the top of all teams, by team, volume or join, with their number. Use `referrals` for those below one of them.',
    query: {
      sort: {
        schema: z.enum(['joined', 'team', 'volume']).default('team'),
        description:
          '`volume` is own plus team volume. Equal ones are in the order first seen; by `joined`, placeholders are last.',
      },
      order,
      tx,
      limit,
      cursor,
    },
    problems: [...ofCommunity, 'invalid_parameter', 'invalid_cursor'],
    example: toAnswer({
      items: [{ ...example.summary, address: example.root, referrer: null, depth: 0, directs: 18, team: 4011 }],
      nextCursor: null,
      count: 3,
    }),
  },
  rootsCsv: csvFile(
    'All roots at one block, in the order first seen',
    ['unavailable'],
    `\uFEFFaddress,status,referrer,root,depth,joinedAt,joinedAt UTC,directs,team,ownVolume,ownVolume USDT,teamVolume,teamVolume USDT,rewards,rewards USDT,grade,block,logIndex,tx,firstBlock,lastBlock,asOfBlock\r\n${example.root},placeholder,,${example.root},0,,,18,4011,0,0,512000000000000000000000,512000,0,0,,,,,,,68123456\r\n`,
  ),
  membersCsv: csvFile(
    'All members at one block, in join order',
    ['unavailable'],
    `\uFEFFaddress,status,referrer,root,depth,joinedAt,joinedAt UTC,directs,team,ownVolume,ownVolume USDT,teamVolume,teamVolume USDT,rewards,rewards USDT,grade,block,logIndex,tx,firstBlock,lastBlock,asOfBlock\r\n${example.member},member,${example.referrer},${example.root},2,2025-03-01T00:00:00Z,2025-03-01 00:00:00,12,340,1500000000000000000000,1500,48200000000000000000000,48200,964000000000000000000,964,exact,46823114,88,${example.txHash},,,68123456\r\n`,
  ),
  membersParquet: parquetFile('All members at one block, in join order', ['unavailable']),
  relation: {
    summary: 'How two members are related, and the nearest address at or above both',
    title: 'How two members are related',
    description:
      'Says whether one member is above the other, how many steps apart they are, and the nearest referrer of both; with `asOf`, as it was then. Use `line` to list who stands between them.',
    query: { ...pair, asOf, tz },
    problems: [...ofMember, ...ofMoment],
    example: toAnswer({
      a: example.member,
      b: example.referrer,
      relation: 'below',
      common: example.referrer,
      stepsA: 1,
      stepsB: 0,
    }),
  },
  line: {
    summary: 'The line between two members: up from `a`, then down to `b`',
    title: 'Who stands between two members',
    description:
      'Lists the members from one member up to the nearest referrer of both, and down to the other. Use `relation` if the number of steps is enough.',
    query: { ...pair, asOf, tz, tx, limit, cursor },
    problems: [...ofMember, ...ofMoment, 'invalid_cursor'],
    example: toAnswer({ items: [{ ...example.summary, step: 0, side: 'a' }], nextCursor: null }),
  },
  pairBinds: {
    summary:
      'Binds that concern the teams of two members, the oldest first, with the bind that held instead of each irregular one',
    title: 'Binds in dispute between two teams',
    description:
      'Lists the binds that concern the teams of two members, the oldest first, and for each irregular bind the one that held. Use `memberEvents` for one address.',
    query: {
      ...pair,
      from: { ...time, description: 'First day or Unix time.' },
      to: { ...time, description: 'Last day or Unix time.' },
      asOf,
      tz,
      limit,
      cursor,
    },
    problems: [...ofMember, ...ofMoment, 'invalid_cursor', 'contradictory_filter', 'unavailable'],
    example: toAnswer({
      at: { block: example.newestBlock.block, timestamp: null, undated: 0 },
      a: example.referrer,
      b: example.root,
      items: [
        {
          ...example.exactBind,
          referrer: example.root,
          status: 'duplicate',
          memberSide: 'a',
          referrerSide: 'b',
          held: {
            referrer: example.referrer,
            block: 46_823_000,
            logIndex: 12,
            timestamp: 1_740_786_900,
            tx: example.txHash,
            grade: 'exact',
            between: null,
            referrerSide: 'a',
          },
        },
      ],
      nextCursor: null,
    }),
  },
  batch: {
    summary: 'Cards of up to 500 members in the requested order, each with its own error',
    title: 'Many members at once',
    description: 'Cards of up to 500 members in one call, each with its own error. Use `member` for one.',
    body: { schema: batchRequest },
    problems: [...ofCommunity, 'invalid_body', 'payload_too_large', 'unsupported_media_type', 'invalid_parameter'],
    example: toAnswer(
      {
        items: [
          { input: example.member, card: { ...example.card, tx: example.txHash }, error: null },
          {
            input: '0x1',
            card: null,
            error: { code: 'invalid_address', detail: 'Invalid address: it must be 0x and 40 hex digits.' },
          },
        ],
      },
      { addresses: [example.member, '0x1'], tx: true },
    ),
  },
  member: {
    summary: 'Card of a member; `tx` is also null when the database does not return it in time',
    title: 'A member',
    description:
      'The card of one member: referrer, root, depth, date of the bind, directs, size of the team, volumes and rewards; with `asOf`, as it was then, and with `amounts: true` its amounts of then. For the amounts of a month use `amounts`. Use `referrers` for the way up, `referrals` for those below, `growth` for the team over time.',
    query: { asOf, amounts: pastAmounts, tz },
    problems: [...ofMember, ...ofMoment],
    example: toAnswer({ ...example.card, tx: example.txHash }),
  },
  levels: {
    summary: 'Number of members and volume on each level below a member',
    title: 'Levels below a member',
    description:
      'Number of members and volume on each level below a member, a hundred levels at once: `next` is the argument for more. Use `referrals` with `level` to list the members themselves.',
    query: {
      levelFrom: { ...positive, description: 'First level.' },
      levelTo: { ...positive, description: 'Last level.' },
      asOf,
      amounts: pastAmounts,
      tz,
    },
    problems: [...ofMember, ...ofMoment, 'contradictory_filter'],
    example: toAnswer({ items: [{ level: 1, count: 12, volume: '8400000000000000000000' }] }),
  },
  growth: {
    summary: 'Growth of a member’s team over time',
    title: 'Growth of a team',
    description:
      'How many members of today’s team joined in each month, week or day, with the running total. Use `compare` for the team at two moments, including those who left.',
    query: { interval, tz },
    problems: [...ofMember, 'invalid_parameter'],
    example: toAnswer({
      interval: 'day',
      tz: 'UTC',
      undated: 0,
      items: [{ from: example.day, members: 4, total: 340 }],
    }),
  },
  compare: {
    summary: 'A team before and after a range of days or blocks: who came, which legs grew, and the amounts in between',
    title: 'A team at two moments',
    description:
      'Compares a team at two days or blocks: its size, who came, how many left, which legs changed most, and the amounts in between. Use `growth` for a series.',
    query: {
      from: {
        ...moment,
        description: 'The first day, as 2026-06-01, or the block after which the range begins.',
        isRequired: true,
      },
      to: { ...moment, description: 'The last day, as 2026-06-30, or the last block.', isRequired: true },
      tz,
    },
    problems: [...ofMember, ...ofMoment],
    example: toAnswer({
      from: { at: { block: null, timestamp: 1_761_004_799, undated: 0 }, member: null },
      to: { at: { block: 68_000_000, timestamp: null, undated: 0 }, member: null },
      came: {
        count: 1,
        undated: 0,
        items: [{ address: example.member, joinedAt: 1_762_000_000, grade: 'exact', block: 67_000_000, logIndex: 4 }],
      },
      left: 0,
      amounts: { own: example.noAmounts, team: example.amounts },
      legs: [{ address: example.member, from: 0, to: 1, ...example.amounts }],
      legsChanged: 1,
    }),
  },
  amounts: {
    summary: 'Own and team volume and rewards in a range of days or blocks, in all and by day, week or month',
    title: 'Amounts in a range of days',
    description:
      'Own and team volume and rewards of a member in a range of days or blocks, in all and by day, week or month. The team is the one at the end of the range. Use `member` for all time, `compare` for the amounts of each leg.',
    query: { interval, ...range },
    problems: [...ofMember, ...ofMoment, 'unavailable'],
    example: toAnswer({
      interval: 'day',
      tz: 'UTC',
      after: null,
      to: { block: 68_000_000, timestamp: null, undated: 0 },
      own: example.noAmounts,
      team: example.amounts,
      items: [{ from: example.day, own: example.noAmounts, team: example.amounts }],
    }),
  },
  ranks: {
    summary:
      'Place by team and by directs, among the directs of its referrer and in the community; equal members alike',
    title: 'Places of a member',
    description:
      'The place of a member by team and by directs, among the directs of its referrer and in the community. Equal members have the same place. Use `risers` for who grew most.',
    problems: [...ofMember, 'invalid_parameter'],
    example: toAnswer({ address: example.member, siblings: example.places, community: example.places }),
  },
  teamRisers: {
    summary: 'Members of a team whose own teams grew most in a range of days or blocks, with their ranks',
    title: 'Teams that grew most below a member',
    description:
      'Lists the members of a team whose own teams grew most in a range of days or blocks. Use `risers` for the whole community, `compare` for the direct legs.',
    query: risersQuery,
    problems: [...ofMember, ...ofMoment, 'unavailable'],
    example: toAnswer({
      by: 'volume',
      after: { block: null, timestamp: 1_761_004_799 },
      to: { block: 68_000_000, timestamp: null },
      undated: 0,
      items: [{ address: example.member, rank: 1, volume: example.amounts.volume }],
    }),
  },
  teamActivity: {
    summary: 'Number of members of a team who were bound, bought or brought a member, by day, week or month',
    title: 'Active members of a team',
    description:
      'Counts the members of a team who were bound, bought or brought a member, by day, week or month. Use `growth` for new members alone.',
    query: activityQuery,
    problems: [...ofMember, ...ofActivity],
    example: toAnswer(example.activity),
  },
  teamMap: {
    summary: 'Map of a team: its largest legs, and the rest beside them',
    title: 'Largest legs of a team',
    description:
      'The largest direct legs of a member with their size and growth, and the sum of the others. `detail: full` adds the largest legs below them. Use `referrals` to list all directs.',
    query: mapQuery,
    problems: [...ofMember, 'invalid_parameter'],
    example: toAnswer({ by: 'members', tz: 'UTC', since: '2025-10-22', items: [example.mapItem], rest: null }),
  },
  referrals: {
    summary: 'Members below a member: one level, or the whole downline, and those who pass a filter',
    title: 'Members below a member',
    description:
      'Lists the direct referrals of a member, one level, or the whole downline, in any order, and those who pass filters; with a filter, also their number; with `asOf`, as they were then. Use `levels` for numbers by level, `search` to find an address.',
    query: {
      level: {
        schema: z.union([
          z
            .int()
            .min(1)
            .max(2 ** 32),
          z.literal('all'),
        ]),
        expected: '"all" or a whole number of at least 1',
        description:
          'Level counted from the member: 1 returns the direct referrals, `all` the whole downline. Defaults to 1, with a filter to `all`.',
      },
      sort: {
        schema: z.enum(['joined', 'team', 'volume', 'periodVolume', 'periodRewards']).default('joined'),
        description:
          '`volume` is own plus team volume. Equal members keep their join order. `periodVolume` and `periodRewards` list only members with such amounts, of their own or of their team, from `from` to `to`.',
      },
      from: {
        ...range.from,
        description: `Adds the amounts of a range to each member of the present downline. ${range.from.description}`,
      },
      to: range.to,
      order,
      ...filters,
      asOf,
      amounts: pastAmounts,
      tz,
      tx,
      limit,
      cursor,
    },
    problems: [...ofMember, 'invalid_parameter', 'invalid_cursor', ...ofFilters, ...ofMoment],
    example: toAnswer({ items: [{ ...example.summary, level: 1 }], nextCursor: null }),
  },
  referralsCsv: {
    summary:
      'The whole downline or those who pass a filter, in join order, streamed as CSV in UTF-8 with a header line',
    query: {
      sort: {
        schema: z.enum(['joined', 'team', 'volume']).default('joined'),
        description: 'Only `joined`: another order is refused as `unsupported_order`.',
      },
      order: { ...order, description: 'Defaults to `asc`.' },
      from: { ...range.from, description: `Adds columns with the amounts of a range. ${range.from.description}` },
      to: range.to,
      ...filters,
      asOf,
      amounts: pastAmounts,
      tz,
    },
    type: 'text/csv',
    problems: [...ofMember, ...ofMoment, 'unsupported_order', ...ofFilters, 'unavailable'],
    example: toExample(
      `\uFEFFlevel,address,status,referrer,depth,joinedAt,joinedAt UTC,directs,team,ownVolume,ownVolume USDT,teamVolume,teamVolume USDT,grade,block,logIndex,tx,firstBlock,lastBlock\r\n1,${example.member},member,${example.referrer},2,2025-03-01T00:00:00Z,2025-03-01 00:00:00,12,340,1500000000000000000000,1500,48200000000000000000000,48200,exact,46823114,88,${example.txHash},,\r\n`,
    ),
  },
  referrers: {
    summary: 'From a member’s referrer up to the root',
    title: 'The way up from a member',
    description:
      'Lists the referrers of a member from the nearest one up to the root. Use `member` if the referrer alone is enough.',
    query: {
      skip: {
        schema: z.int().min(0).default(0),
        expected: 'a whole number of at least 0',
        description: 'Number of nearest referrers to skip, to start further up. Not together with `cursor`.',
      },
      asOf,
      tz,
      tx,
      limit,
      cursor,
    },
    problems: [...ofMember, ...ofMoment, 'invalid_cursor'],
    example: toAnswer({
      items: [{ ...example.summary, address: example.referrer, referrer: example.root, depth: 1 }],
      nextCursor: null,
    }),
  },
  memberEvents: {
    summary:
      'Events of an address, member or not, newest first: its binds, those that name it as the referrer, volumes and rewards',
    title: 'Events of an address',
    description:
      'Lists the events of one address, member or not, the newest first: its binds with their status, those that name it as the referrer, volumes and rewards, each with its transaction. Use it as evidence.',
    query: { ...ofEvents, limit, cursor },
    problems: [...ofMember, 'invalid_parameter', 'invalid_cursor', 'unavailable'],
    example: toAnswer({
      items: [
        {
          kind: 'reward',
          address: example.member,
          referrer: null,
          status: null,
          amount: '964000000000000000000',
          from: example.referrer,
          block: 46_823_114,
          logIndex: 88,
          timestamp: 1_740_787_200,
          tx: example.txHash,
          grade: 'exact',
          between: null,
        },
      ],
      nextCursor: '46823114-88-1',
    }),
  },
  memberEventsCsv: {
    summary: 'All events of an address, newest first, streamed as CSV in UTF-8 with a header line',
    query: { ...ofEvents, tz },
    type: 'text/csv',
    problems: [...ofMember, 'invalid_parameter', 'unavailable'],
    example: toExample(
      `\uFEFFtime,time UTC,kind,address,referrer,status,amount,decimal,token,from,block,logIndex,tx,grade,firstBlock,lastBlock\r\n2025-03-01T00:00:00Z,2025-03-01 00:00:00,reward,${example.member},,,964000000000000000000,964,"USDT",${example.referrer},46823114,88,${example.txHash},exact,,\r\n`,
    ),
  },
} satisfies DetailsOf<typeof lookupRoutes>
