import { readFile } from 'node:fs/promises'
import * as fc from 'fast-check'
import { type AbiEvent, getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  bindPresets,
  type Community,
  ConfigError,
  type ConfigInput,
  listSources,
  parseConfig,
  rewardPresets,
  selectorOf,
  sourceIdentity,
  topicOf,
  viewIdentity,
} from './index.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const valid = {
  id: 'panther',
  name: 'PantherSwap',
  chainId: 56,
  address,
  startBlock: 7_500_000,
  event: 'event ReferralRecorded(address indexed user, address indexed referrer)',
  member: 'user',
  referrer: 'referrer',
  tokens: { volume: { symbol: 'USDT', decimals: 18 }, reward: { symbol: 'USDT', decimals: 18 } },
} as const satisfies ConfigInput['communities'][number]
const amounts = { event: 'event Paid(address indexed who, uint256 amount)', member: 'who', amount: 'amount' }

test('behavior: the smallest configuration', () => {
  expect(parseConfig({ communities: [valid] }).communities).toMatchObject([
    {
      id: 'panther',
      binds: [{ event: { name: 'ReferralRecorded' } }],
      roots: [],
      rebind: 'first',
      amounts: { reward: [], volume: [] },
    },
  ])
})

test('behavior: every field', () => {
  const [community] = parseConfig({
    communities: [
      {
        ...valid,
        roots: ['0x000000000000000000000000000000000000beef'],
        rebind: 'last',
        rewards: amounts,
        volumes: { ...amounts, address: '0x000000000000000000000000000000000000beef' },
        tokens: { volume: { symbol: 'USDT', decimals: 18 }, reward: { symbol: 'BNB', decimals: 18 } },
        parent: 'function getReferrer(address user) view returns (address)',
        explorer: 'https://bscscan.com/',
      },
    ],
  }).communities
  expect(community).toMatchObject({
    amounts: {
      reward: [{ address, event: { name: 'Paid' } }],
      volume: [{ address: '0x000000000000000000000000000000000000bEEF' }],
    },
    parents: [{ kind: 'view', address, text: 'function getReferrer(address user) view returns (address)', path: [0] }],
    explorer: 'https://bscscan.com',
  })
})

test('behavior: a topic and a selector stand for names that are not known', () => {
  const topic = '0xf61ccbe316daff56654abed758191f9a4dcac526d43747a50a2d545a7b6b7e5d'
  const [community] = parseConfig({
    communities: [
      {
        ...valid,
        event: `event ${topic}(address indexed user, address indexed referrer)`,
        parent: 'function 0x4a9fefc7(address) view returns (address)',
      },
    ],
  }).communities
  expect(topicOf((community as Community).binds[0]?.event as AbiEvent)).toBe(topic)
  const [parent] = (community as Community).parents
  expect(parent?.kind === 'view' && selectorOf(parent.item)).toBe('0x4a9fefc7')
})

describe('presets', () => {
  const { id, name, chainId, startBlock, tokens } = valid
  const bare = { id, name, chainId, address, startBlock, tokens }
  const parse = (change: object) => parseConfig({ communities: [{ ...bare, ...change }] }).communities[0]
  const parseBind = (change: object) => parse(change)?.binds[0]

  test.each([
    ['memberFirst', { member: 'first', referrer: 'second' }],
    ['referrerFirst', { member: 'second', referrer: 'first' }],
  ])('behavior: %s', (order, names) => {
    expect(parseBind({ preset: 'bindInviter', order })).toMatchObject({ event: { name: 'BindInviter' }, ...names })
  })

  test('behavior: a preset with one order needs no `order`, and accepts the other one', () => {
    expect(parseBind({ preset: 'upline' })).toMatchObject({ member: 'user', referrer: 'upline' })
    expect(parseBind({ preset: 'upline', order: 'referrerFirst' })).toMatchObject({
      member: 'upline',
      referrer: 'user',
    })
  })

  test('behavior: fields override the preset', () => {
    const event = 'event BindInviter(address user, address by)'
    expect(parseBind({ preset: 'bindInviter', event, member: 'user', referrer: 'by' })).toMatchObject({
      event: { inputs: [{ name: 'user', type: 'address' }, { name: 'by' }] },
      member: 'user',
      referrer: 'by',
    })
    const rewards = { preset: 'paidReferral', member: 'from' }
    expect(parse({ preset: 'upline', rewards })).toMatchObject({
      amounts: { reward: [{ member: 'from', amount: 'amount', from: undefined, address }] },
    })
  })

  test('behavior: the argument that a reward came from, of a preset or as configured', () => {
    const fromOf = (rewards: object) => parse({ preset: 'upline', rewards })?.amounts.reward[0]?.from
    expect(fromOf({ preset: 'paidReferral' })).toBe('from')
    expect(fromOf({ preset: 'referralCommissionRecorded' })).toBeUndefined()
    const event = 'event Paid(address who, address buyer, uint256 amount)'
    expect(fromOf({ event, member: 'who', amount: 'amount', from: 'buyer' })).toBe('buyer')
    expect(fromOf({ preset: 'paidReferral', event, member: 'who' })).toBeUndefined()
  })

  test('behavior: an event that removes the referrer', () => {
    const unbind = { event: 'event Unbind(address indexed user)', member: 'user' }
    expect(parse({ preset: 'upline', rebind: 'last', unbind })).toMatchObject({
      unbinds: [{ member: 'user', address }],
    })
  })

  test.each<[title: string, change: object, message: RegExp]>([
    ['a missing order', { preset: 'bind' }, /order: must be "memberFirst" or "referrerFirst": Bind is deployed/],
    ['an unknown order', { preset: 'bind', order: 'x' }, /order: must be "memberFirst" or "referrerFirst"/],
    ['an unknown preset', { preset: 'bond' }, /preset: must be one of referralRecorded, bind, /],
    ['neither preset nor event', {}, /event: must be the text of an event, or preset/],
    ['an order without a preset', { ...valid, order: 'memberFirst' }, /order: applies to presets only/],
    ['an unknown reward preset', { preset: 'upline', rewards: { preset: 'bind' } }, /rewards\.preset: must be one of/],
    ['rewards without an event', { preset: 'upline', rewards: {} }, /rewards\.event: must be the text of an event/],
    [
      'an unbind event where the first bind stays',
      { preset: 'upline', unbind: { event: 'event U(address user)', member: 'user' } },
      /unbind: needs rebind: "last"/,
    ],
    [
      'an unbind event that is the bind event',
      { ...valid, rebind: 'last', unbind: { event: valid.event, member: 'user' } },
      /unbind\.event: is also the event of binds: each ReferralRecorded would bind and unbind at once/,
    ],
  ])('error: %s', (_, change, message) => {
    expect(messageOf(() => parse(change))).toMatch(message)
  })

  test('behavior: the documentation lists every preset with its event', async () => {
    const text = await readFile(new URL('../../../docs/referral-contracts.md', import.meta.url), 'utf8')
    for (const [preset, { event }] of Object.entries({ ...bindPresets, ...rewardPresets }))
      expect(text).toContain(`| \`${preset}\` | \`${event.slice('event '.length)}\` |`)
  })
})

test('error: many errors are listed up to the 50th, with the number of the others', () => {
  const communities = Array.from({ length: 70 }, (_, index) => ({ ...valid, id: `c${index}`, member: 'absent' }))
  const message = messageOf(() => parseConfig({ communities }))
  expect(message.split('\n')).toHaveLength(51)
  expect(message).toMatch(/\n… and 20 more$/)
})

test('behavior: returns an address in lower case with its checksum', () => {
  const [community] = parseConfig({ communities: [{ ...valid, address: address.toLowerCase() }] }).communities
  expect(community?.address).toBe(address)
})

describe('errors', () => {
  const wrong = (change: object) => [{ ...valid, ...change }]
  test.each<[title: string, communities: unknown, message: RegExp]>([
    ['communities that are no list', undefined, /^communities: must be a list/],
    ['no community', [], /^communities: must hold at least one/],
    ['not an object', ['x'], /^communities\[0\]: must be an object/],
    ['id with a slash', wrong({ id: 'a/b' }), /^communities\[0\]\.id: must be 1 to 40 of .*\(community "a\/b"\)$/],
    ['id in capitals', wrong({ id: 'Demo' }), /^communities\[0\]\.id: must be/],
    ['id used twice', [valid, valid], /^communities\[1\]\.id: "panther" is taken/],
    ['another chain', wrong({ chainId: 1 }), /^communities\[0\]\.chainId: must be 56/],
    [
      'no start block',
      wrong({ startBlock: undefined }),
      /^communities\[0\]\.startBlock: must be the number of the block/,
    ],
    ['fractional start block', wrong({ startBlock: 1.5 }), /^communities\[0\]\.startBlock: must be/],
    [
      'rewards without their token',
      wrong({ rewards: amounts, tokens: { volume: valid.tokens.volume } }),
      /^communities\[0\]\.tokens\.reward: is missing beside rewards/,
    ],
    [
      'volumes of a further event without tokens',
      wrong({ more: { volumes: [amounts] }, tokens: undefined }),
      /^communities\[0\]\.tokens\.volume: is missing beside volumes/,
    ],
    ['short address', wrong({ address: '0x12' }), /^communities\[0\]\.address: "0x12" is not an address/],
    ['wrong checksum', wrong({ address: address.replace('F', 'f') }), /^communities\[0\]\.address: .* wrong checksum/],
    [
      'text that is not ABI',
      wrong({ event: 'evnt X(' }),
      /^communities\[0\]\.event: "evnt X\(" is not ABI text: .+ Write "event Name\(.+ \(community "panther"\)$/,
    ],
    [
      'more indexed arguments than an event can have',
      wrong({ event: 'event B(address indexed user, address indexed referrer, uint8 indexed a, uint8 indexed b)' }),
      /^communities\[0\]\.event: 4 arguments are indexed: an event has at most three/,
    ],
    [
      'a function for an event',
      wrong({ event: 'function f()' }),
      /^communities\[0\]\.event: "function f\(\)" is a function/,
    ],
    [
      'nameless argument',
      wrong({ event: 'event B(address indexed user, address)' }),
      /^communities\[0\]\.event: argument 2 has no name/,
    ],
    [
      'two arguments of one name',
      wrong({ event: 'event B(address user, address user)' }),
      /^communities\[0\]\.event: /,
    ],
    [
      'argument the event lacks',
      wrong({ member: 'who' }),
      /^communities\[0\]\.member: there is no argument "who": ReferralRecorded has user, referrer/,
    ],
    [
      'argument that is no address',
      wrong({ event: 'event B(address user, uint256 referrer)' }),
      /^communities\[0\]\.referrer: the argument "referrer" is uint256: name one that is an address/,
    ],
    [
      'one argument for both',
      wrong({ referrer: 'user' }),
      /^communities\[0\]\.referrer: is the same argument as member/,
    ],
    ['wrong root', wrong({ roots: [address, 'x'] }), /^communities\[0\]\.roots\[1\]: "x" is not an address/],
    ['unknown rule', wrong({ rebind: true }), /^communities\[0\]\.rebind: must be "first" or "last"/],
    [
      'rewards from no address',
      wrong({ rewards: { ...amounts, event: 'event Paid(address who, uint256 amount)', from: 'amount' } }),
      /^communities\[0\]\.rewards\.from: .* uint256/,
    ],
    [
      'signed amount',
      wrong({ rewards: { ...amounts, event: 'event Paid(address who, int256 amount)' } }),
      /^communities\[0\]\.rewards\.amount: .* int256/,
    ],
    [
      'view of two arguments',
      wrong({ parent: 'function p(address a, address b) view returns (address)' }),
      /^communities\[0\]\.parent\[0\]\.args: must hold the values of the other inputs: address/,
    ],
    [
      'view that writes',
      wrong({ parent: 'function p(address a) returns (address)' }),
      /^communities\[0\]\.parent\[0\]\.view: must be a view that takes address/,
    ],
    [
      'too many decimals',
      wrong({ tokens: { volume: { symbol: 'X', decimals: 99 } } }),
      /^communities\[0\]\.tokens\.volume\.decimals: must not be above 36/,
    ],
    [
      'explorer that runs code',
      wrong({ explorer: 'javascript:alert(1)' }),
      /^communities\[0\]\.explorer: must be an http/,
    ],
    [
      'list of members in one event',
      wrong({ event: 'event A(address[] members, address b)', member: 'members', referrer: 'b' }),
      /^communities\[0\]\.member: the argument "members" is address\[\]: name one that is an address/,
    ],
    [
      'further bind without its arguments',
      wrong({ more: { binds: [{ event: 'event A(address a, address b)' }] } }),
      /^communities\[0\]\.more\.binds\[0\]\.member: must be the name of an argument/,
    ],
    [
      'further bind that is the first one',
      wrong({ more: { binds: [{ event: valid.event, member: valid.member, referrer: valid.referrer }] } }),
      /^communities\[0\]\.more: \w+ of 0x\w+ is there twice: name it once/,
    ],
    [
      'further unbind where the first bind counts',
      wrong({ more: { unbinds: [{ event: 'event C(address a)', member: 'a' }] } }),
      /^communities\[0\]\.more\.unbinds: needs rebind: "last"/,
    ],
    ['further kind that there is not', wrong({ more: { bind: [] } }), /^communities\[0\]\.more: unknown field "bind"/],
    ['misspelt field', wrong({ startblock: 1 }), /^communities\[0\]: unknown field "startblock"/],
  ])('%s', (_, communities, message) => {
    expect(messageOf(() => parseConfig({ communities }))).toMatch(message)
  })

  test('all errors at once', () => {
    const message = messageOf(() => parseConfig({ communities: [{ ...valid, id: '', address: 'x' }] }))
    expect(message.split('\n').map((line) => line.split(':')[0])).toEqual([
      'communities[0].id',
      'communities[0].address',
    ])
  })
})

test('behavior: an event may be named in two forms that index more or fewer arguments, as before and after an upgrade', () => {
  const second = valid.event.replaceAll(' indexed', '')
  const more = { binds: [{ event: second, member: valid.member, referrer: valid.referrer }] }
  const [community] = parseConfig({ communities: [{ ...valid, more }] as never }).communities
  expect(community?.binds.map(({ event }) => event.inputs.filter(({ indexed }) => indexed).length)).toEqual([2, 0])
})

test('behavior: further events are of the same contract, unless they name another, and presets fill them in', () => {
  const other = '0x00000000000000000000000000000000000000AA'
  const more = {
    binds: [
      { preset: 'upline' as const },
      { address: other, event: 'event A(address a, address b)', member: 'b', referrer: 'a' },
    ],
    rewards: [{ preset: 'paidReferral' as const }],
  }
  const [community] = parseConfig({ communities: [{ ...valid, more }] }).communities
  expect(community).toMatchObject({
    binds: [
      { address: community?.address, member: 'user', referrer: 'referrer' },
      { address: community?.address, member: 'user', referrer: 'upline' },
      { address: getAddress(other), member: 'b', referrer: 'a' },
    ],
    unbinds: [],
    amounts: { reward: [{ address: community?.address, member: 'to', from: 'from' }], volume: [] },
  })
  const { binds, rewards, volumes } = listSources(community as Community)
  expect([binds, rewards, volumes].map((sources) => sources?.length)).toEqual([3, 1, 0])
})

describe('a contract that is asked', () => {
  const { event, member, referrer, ...rest } = valid
  const transfer = 'event Transfer(address indexed from, address indexed to, uint256 value)'
  const asked = { ...rest, candidates: [{ event: transfer, members: ['from', 'to'] }] }
  const users = 'function users(address) view returns (uint256 id, (address upline, uint256 at) info, address wallet)'
  const parse = (change: object) => parseConfig({ communities: [{ ...asked, ...change } as never] }).communities[0]
  const pathOf = (parent: object) => {
    const [way] = parse({ parent })?.parents ?? []
    return way?.kind === 'view' ? way.path : undefined
  }

  test('behavior: candidates replace the bind event', () => {
    expect(parse({ parent: 'function inviter(address) view returns (address)' })).toMatchObject({
      binds: [],
      asked: { candidates: [{ address, members: ['from', 'to'], where: {} }], changes: 'once' },
      rebind: 'first',
    })
    expect(parse({ parent: 'function inviter(address) view returns (address)', changes: 'any' })?.rebind).toBe('last')
  })

  test.each<[title: string, parent: object, path: number[]]>([
    ['by a name', { view: users, output: 'wallet' }, [2]],
    ['by a position', { view: users, output: 2 }, [2]],
    ['in a tuple', { view: users, output: 'upline' }, [1, 0]],
    ['in a tuple, by the whole name', { view: users, output: 'info.upline' }, [1, 0]],
    ['in a list', { view: 'function line(address) view returns (address[] up)', output: 'up[0]' }, [0, 0]],
    ['the only address', { view: 'function user(address) view returns (uint256, address, bool)' }, [1]],
  ])('behavior: an output %s', (_, parent, path) => {
    expect(pathOf(parent)).toEqual(path)
  })

  test('behavior: two views, further inputs, and the place in the storage', () => {
    const parent = [
      {
        view: 'function matrix(address user, uint8 level) view returns (uint256 parentId)',
        args: [1],
        next: { view: 'function idToAddress(uint256) view returns (address)' },
      },
      { slot: 7, offset: '0x2', address: '0x000000000000000000000000000000000000beef' },
    ]
    expect(parse({ parent })?.parents).toMatchObject([
      { kind: 'view', input: 0, args: [1], path: [0], next: { path: [0], input: 0 } },
      { kind: 'slot', slot: 7n, offset: 2n, address: '0x000000000000000000000000000000000000bEEF' },
    ])
  })

  test('behavior: a code that is a text leads on', () => {
    const next = { view: 'function ownerOf(string) view returns (address)' }
    expect(parse({ parent: { view: 'function codeOf(address) view returns (string)', next } })?.parents).toMatchObject([
      { path: [0], next: { path: [0], input: 0 } },
    ])
  })

  test('behavior: three views: the id of a member, that of its referrer, and the referrer', () => {
    const users = 'function users(uint256) view returns (address account, uint256 referrerId)'
    const next = { view: users, output: 'referrerId', next: { view: users, output: 'account' } }
    expect(parse({ parent: { view: 'function idOf(address) view returns (uint256)', next } })?.parents).toMatchObject([
      { path: [0], next: { path: [1], next: { path: [0], next: undefined } } },
    ])
  })

  test('behavior: the values of arguments as words', () => {
    const candidates = [{ event: transfer, members: ['from'], where: { to: address, value: '5' } }]
    const parent = 'function inviter(address) view returns (address)'
    expect(parse({ candidates, parent })?.asked?.candidates[0]?.where).toEqual({
      to: `0x${address.slice(2).toLowerCase().padStart(64, '0')}`,
      value: `0x${'5'.padStart(64, '0')}`,
    })
  })

  const inviter = 'function inviter(address) view returns (address)'

  test('behavior: files and calls name candidates', () => {
    const register = 'function register(uint256 id, address ref, address[] others)'
    const candidates = [{ file: 'members.csv' }, { calls: true, fromBlock: 9e6 }, { calls: register, members: ['ref'] }]
    const [all, one] = parse({ parent: inviter, candidates })?.asked?.calls ?? []
    expect(parse({ parent: inviter, candidates })?.asked).toMatchObject({ candidates: [], files: ['members.csv'] })
    expect(all).toMatchObject({ address, item: undefined, members: ['sender'], fromBlock: 9e6 })
    expect(one).toMatchObject({ members: ['ref'], fromBlock: rest.startBlock })
    expect(parse({ parent: inviter, candidates: [{ calls: register }] })?.asked?.calls[0]?.members).toEqual([
      ...['sender', 'ref', 'others'],
    ])
  })

  test('behavior: answers are kept while other things change, and other calls are read anew', () => {
    const withView = (change: object) => parse({ parent: inviter, ...change }) as Community
    const view = viewIdentity(withView({}))
    const moreEvents = [{ event: 'event Joined(address who)', members: ['who'] }, { file: 'a.csv' }]
    for (const change of [
      { changes: 'any' },
      { candidates: moreEvents },
      { name: 'Another' },
      { parent: 'function inviter(address user) view returns (address upline)' },
    ])
      expect(viewIdentity(withView(change))).toBe(view)
    for (const change of [
      { parent: 'function upline(address) view returns (address)' },
      { parent: { slot: 3 } },
      { parent: { view: 'function inviter(address) view returns (uint256, address)' } },
    ])
      expect(viewIdentity(withView(change))).not.toBe(view)
    const source = (candidates: object[]) => sourceIdentity(withView({ candidates }))
    expect(source([...asked.candidates, { file: 'a.csv' }])).toBe(source(asked.candidates))
    expect(source([...asked.candidates, { calls: true }])).not.toBe(source(asked.candidates))
  })

  test.each<[title: string, change: object, message: RegExp]>([
    [
      'a candidate from nowhere',
      { parent: inviter, candidates: [{}] },
      /\[0\]: must have one of event, file and calls/,
    ],
    [
      'a candidate from two',
      { parent: inviter, candidates: [{ file: 'a', calls: true }] },
      /\[0\]: must have one of event, file and calls/,
    ],
    [
      'a file with members',
      { parent: inviter, candidates: [{ file: 'a', members: ['b'] }] },
      /members: does not apply/,
    ],
    [
      'an event from a block on',
      { parent: inviter, candidates: [{ ...asked.candidates[0], fromBlock: 3 }] },
      /fromBlock: does not apply to an event/,
    ],
    [
      'calls that are no function',
      { parent: inviter, candidates: [{ calls: transfer }] },
      /calls: "event .* is not the text of a function/,
    ],
    [
      'calls with an absent argument',
      { parent: inviter, candidates: [{ calls: 'function join(address ref)', members: ['up'] }] },
      /members\[0\]: there is no address "up" in the call: name sender, ref/,
    ],
    [
      'calls with an argument of the name sender',
      { parent: inviter, candidates: [{ calls: 'function join(address sender)' }] },
      /calls: "sender" is the address that calls/,
    ],
    [
      'calls with an address without a name',
      { parent: inviter, candidates: [{ calls: 'function a(address)' }] },
      /calls: there is no address ""/,
    ],
    ['no view', {}, /parent: must name the view that returns the referrer of a candidate/],
    ['a bind event too', { parent: inviter, event, member, referrer }, /event: must be absent beside candidates/],
    [
      'an argument that is no address',
      { parent: inviter, candidates: [{ event: transfer, members: ['value'] }] },
      /candidates\[0\]\.members\[0\]: the argument "value" is uint256/,
    ],
    [
      'several addresses',
      { parent: { view: users.replace('address upline', 'uint256 x').replace('uint256 id', 'address id') } },
      /parent\[0\]\.output: must name the output: the view returns id, info, wallet/,
    ],
    [
      'a text as the only output',
      { parent: { view: 'function codeOf(address) view returns (string)' } },
      /parent\[0\]\.output: no output is an address: the view returns 0: string/,
    ],
    [
      'a list that leads on',
      {
        parent: {
          view: 'function codesOf(address) view returns (uint256[][])',
          next: { view: 'function ownerOf(uint256) view returns (address)' },
        },
      },
      /parent\[0\]\.output: no output is one value: the view returns 0: uint256\[\]\[\]/,
    ],
    [
      'a fault in the third view',
      {
        parent: {
          view: 'function idOf(address) view returns (uint256)',
          next: { view: 'function above(uint256) view returns (uint256)', next: { view: inviter } },
        },
      },
      /parent\[0\]\.next\.next\.view: must be a view that takes uint256/,
    ],
    ['an absent output', { parent: { view: users, output: 'up' } }, /parent\[0\]\.output: there is no output "up"/],
    [
      'an output of another type',
      { parent: { view: users, output: 'id' } },
      /the output "id" is uint256, not an address/,
    ],
    ['a view and a slot', { parent: { view: inviter, slot: 1 } }, /parent\[0\]\.slot: name a view or a slot/],
    ['no ways', { parent: [] }, /parent: must name at least one view/],
    [
      'an absent argument',
      { parent: inviter, candidates: [{ event: transfer, members: ['to'], where: { who: 1 } }] },
      /candidates\[0\]\.where\.who: there is no argument "who"/,
    ],
    [
      'a value of another type',
      { parent: inviter, candidates: [{ event: transfer, members: ['to'], where: { value: 'x' } }] },
      /where\.value: "x" is no uint256/,
    ],
    [
      'the same event twice',
      { parent: inviter, candidates: [asked.candidates[0], asked.candidates[0]] },
      /Transfer of 0x\w+ is there twice/,
    ],
  ])('error: %s', (_, change, message) => {
    expect(messageOf(() => parse(change))).toMatch(message)
  })
})

test('property: any input returns a configuration or throws a ConfigError', () => {
  const garbage = fc.oneof(
    fc.anything(),
    fc.string(),
    fc.constantFrom(address, 'event A(address a, address b)', 'a', 'b'),
  )
  const entry = fc.record(
    Object.fromEntries(
      [
        ...Object.keys(valid),
        'preset',
        'order',
        'unbind',
        'rewards',
        'volumes',
        'more',
        'roots',
        'parent',
        'candidates',
        'where',
      ].map((key) => [key, garbage]),
    ),
    { requiredKeys: [] },
  )
  const almost = fc
    .record({
      key: fc.constantFrom(...Object.keys(valid), 'preset', 'order', 'unbind', 'rewards', 'parent', 'candidates'),
      value: garbage,
    })
    .map(({ key, value }) => ({ ...valid, [key]: value }))
  const abi = fc.string({ unit: fc.constantFrom(...'event function(address,indexed[])uint256 _;{}\n'), maxLength: 60 })
  fc.assert(
    fc.property(
      fc.oneof(
        fc.anything(),
        fc.record({ communities: fc.oneof(fc.anything(), fc.array(fc.oneof(entry, almost), { maxLength: 3 })) }),
        abi.map((event) => ({ communities: [{ ...valid, event }] })),
      ),
      (input) => {
        try {
          expect(parseConfig(input).communities.length).toBeGreaterThan(0)
        } catch (error) {
          if (!(error instanceof ConfigError)) throw error
          expect(error.message).not.toBe('')
        }
      },
    ),
    { numRuns: 2_000 },
  )
})

function messageOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as ConfigError).message
  }
  return 'no error'
}

test.each([
  ['another name', { name: 'Other' }, 'same'],
  ['another rule for binds', { rebind: 'last' }, 'same'],
  ['another first block', { startBlock: 1 }, 'other'],
  ['another contract', { address: '0x000000000000000000000000000000000000beef' }, 'other'],
  ['member and referrer swapped', { member: 'referrer', referrer: 'user' }, 'other'],
  ['another indexed argument', { event: 'event ReferralRecorded(address indexed user, address referrer)' }, 'other'],
  ['a further event', { rewards: amounts }, 'other'],
] as const)('behavior: %s makes the identity of the rows %s', (_, change, expected) => {
  const identities = [valid, { ...valid, ...change }].map((input) =>
    sourceIdentity(parseConfig({ communities: [input as typeof valid] }).communities[0] as Community),
  )
  expect(new Set(identities).size).toBe(expected === 'same' ? 1 : 2)
})

test('behavior: the identity of the rows stays that of the first version, for which operators have read the chain', () => {
  const { event, member, referrer, ...rest } = valid
  const all = { volumes: amounts, rewards: { ...amounts, from: 'who' } }
  const more = { volumes: [{ ...amounts, where: { amount: 1 } }], rewards: [{ preset: 'paidReferral' }] }
  const unbind = { event: 'event Unbind(address user)', member: 'user' }
  const candidates = [{ event: 'event Joined(address who)', members: ['who'] }]
  const parent = 'function inviter(address) view returns (address)'
  const identities = [
    { ...valid, ...all, more, rebind: 'last', unbind },
    { ...rest, ...all, candidates, parent },
  ].map((input) => sourceIdentity(parseConfig({ communities: [input] }).communities[0] as Community))
  expect(identities).toEqual([
    'f7c2a230862f76b39e75b8be86a44708ea9630bdafbc6cd23b42b490bdafd1a6',
    '75cdd5480a75ea20e36f71eeffcd8676cc521acba6b991721d4438ebb2d7c8d2',
  ])
})
