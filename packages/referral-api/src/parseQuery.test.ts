import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { operations } from './operations.ts'
import { parseQuery, type QueryProblem } from './parseQuery.ts'
import type { OperationId } from './routes.ts'

const parse = (id: OperationId, text: string) => parseQuery(id, new URLSearchParams(text))
const address = '0x52908400098527886E0F7030069857D2E4169EE7'

test.each([
  ['search', 'q=0xAbC&limit=500', { q: '0xabc', limit: 200 }],
  ['search', 'q=0xAb&limit=99999999999999999999999', { q: '0xab', limit: 200 }],
  ['events', '', { limit: 50 }],
  ['referrals', 'level=3&limit=7', { level: 3, limit: 7, sort: 'joined' }],
  ['referrals', 'level=all', { level: 'all', limit: 50, sort: 'joined' }],
  ['referrals', 'joinedFrom=0&minVolume=12&bound=true', { joinedFrom: 0, minVolume: '12', bound: 'true' }],
  ['referrals', 'asOf=2026-02-28&sort=team', { asOf: '2026-02-28', sort: 'team' }],
  ['member', 'asOf=12', { asOf: '12' }],
  ['levels', 'asOf=12&amounts=true', { asOf: '12', amounts: 'true' }],
  ['levels', 'levelFrom=101&levelTo=200', { levelFrom: 101, levelTo: 200 }],
  ['metrics', 'depthFrom=0&depthTo=0', { depthFrom: 0, depthTo: 0 }],
  ['growth', '', { interval: 'day' }],
  ['live', `address=${address}`, { address }],
] as const)('behavior: %s?%s', (id, text, query) => {
  expect(parse(id, text)).toMatchObject({ query })
})

test.each([
  ['search', '', 'invalid_parameter', 'q'],
  ['search', 'q=0xg', 'invalid_parameter', 'q'],
  ['search', 'q=0xab&limit=0', 'invalid_parameter', 'limit'],
  ['events', 'limit=1e2', 'invalid_parameter', 'limit'],
  ['events', 'limit=', 'invalid_parameter', 'limit'],
  ['events', 'limit=٣', 'invalid_parameter', 'limit'],
  ['relation', 'a=0x1', 'invalid_address', 'a'],
  ['relation', `a=${address}`, 'invalid_parameter', 'b'],
  ['referrals', 'level=0', 'invalid_parameter', 'level'],
  ['referrals', 'minTeam=4294967295', 'invalid_parameter', 'minTeam'],
  ['referrals', 'level=1&levelTo=3', 'contradictory_filter', 'level'],
  ['referrals', 'levelFrom=4&levelTo=3', 'contradictory_filter', 'levelTo'],
  ['levels', 'levelFrom=4&levelTo=3', 'contradictory_filter', 'levelTo'],
  ['levels', 'levelFrom=0', 'invalid_parameter', 'levelFrom'],
  ['metrics', 'depthFrom=4&depthTo=3', 'contradictory_filter', 'depthTo'],
  ['referrals', 'joinedFrom=4&joinedTo=3', 'contradictory_filter', 'joinedTo'],
  ['referrals', 'minTeam=4&minTeam=4', 'contradictory_filter', 'minTeam'],
  ['referrals', 'asOf=4&from=2', 'invalid_parameter', 'from'],
  ['referrals', 'amounts=true', 'invalid_parameter', 'amounts'],
  ['member', 'amounts=false', 'invalid_parameter', 'amounts'],
  ['levels', 'asOf=4&amounts=1', 'invalid_parameter', 'amounts'],
  ['referrers', 'asOf=4&amounts=true', 'invalid_parameter', 'amounts'],
  ['referrals', 'x=1&'.repeat(21), 'too_many_filters', undefined],
  ['referralsCsv', 'sort=team', 'unsupported_order', 'sort'],
  ['referralsCsv', 'asOf=4&to=5', 'invalid_parameter', 'to'],
  ['referralsCsv', 'amounts=true', 'invalid_parameter', 'amounts'],
  ['map', '_=1&asOf=4', 'invalid_parameter', 'asOf'],
  ['metrics', '_=1', 'invalid_parameter', '_'],
  ['status', 'asOf=4', 'invalid_parameter', 'asOf'],
  ['memberEvents', 'kind=bind&kind=reward', 'invalid_parameter', 'kind'],
  ['referrers', 'skip=4&cursor=1', 'invalid_parameter', 'skip'],
  ['member', 'from=4', 'invalid_parameter', 'from'],
  ['member', 'asOf=2026-02-30', 'invalid_parameter', 'asOf'],
  ['compare', 'from=2026-02-03', 'invalid_parameter', 'to'],
] as const)('error: %s?%s is %s', (id, text, code, parameter) => {
  const { problem } = parse(id, text) as { problem?: QueryProblem }
  expect([problem?.code, problem?.parameter]).toEqual([code, parameter])
})

test('error: the detail says what is expected, and which parameter may be meant', () => {
  const detailOf = (id: OperationId, text: string) => (parse(id, text) as { problem: QueryProblem }).problem.detail
  expect(detailOf('growth', 'interval=year')).toBe('Invalid parameter "interval": it must be one of day, week, month.')
  expect(detailOf('events', 'limit=no')).toBe('Invalid parameter "limit": it must be a whole number of at least 1.')
  expect(detailOf('referrals', 'levelFrom=4&levelTo=3')).toBe(
    'The filter contradicts itself: "levelFrom" is greater than "levelTo".',
  )
  expect(detailOf('metrics', 'to=4')).toMatch(
    /^This lookup has no "to": leave it out for the present, or use one that has it: .*\/members\/{address}\/compare.*\.$/,
  )
  expect(detailOf('ranks', 'days=4')).toBe('Unknown parameter "days": leave it out, there are none here.')
  expect(detailOf('growth', 'days=4')).toBe('Unknown parameter "days": leave it out, or use one of interval, tz.')
  for (const [id, given, meant] of [
    ['member', 'asof', 'asOf'],
    ['member', 'as_of', 'asOf'],
    ['referralsCsv', 'level', 'levelFrom'],
    ['referrals', 'limt', 'limit'],
    ['referrals', 'joined', 'joinedFrom'],
    ['search', 'query', 'q'],
  ] as const)
    expect([given, detailOf(id, `${given}=1`)]).toEqual([
      given,
      `Unknown parameter "${given}": did you mean "${meant}"?`,
    ])
})

test('property: any query is parsed or refused with a parameter of the operation, and parsed again to the same', () => {
  const names = [...new Set(operations.flatMap(({ query = {} }) => Object.keys(query)))]
  const value = fc.oneof(fc.string({ unit: 'binary' }), fc.nat().map(String), fc.constantFrom('all', 'asc', '0xAB', ''))
  const queries = fc.array(fc.tuple(fc.oneof(fc.constantFrom(...names), fc.string()), value), { maxLength: 4 })
  fc.assert(
    fc.property(fc.constantFrom(...operations), queries, ({ id, query: known = {} }, entries) => {
      const parsed = parseQuery(id, new URLSearchParams(entries))
      if ('problem' in parsed) {
        expect(parsed.problem.detail).toMatch(/[.?]$/)
        return
      }
      expect(Object.keys(known)).toEqual(expect.arrayContaining(Object.keys(parsed.query)))
      const again = new URLSearchParams(Object.entries(parsed.query).map(([name, part]) => [name, String(part)]))
      expect(parseQuery(id, again)).toEqual(parsed)
    }),
  )
})
