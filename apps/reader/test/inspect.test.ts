import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Community, parseConfig } from '@lineage/communities'
import { indexSchema } from '@lineage/database'
import {
  type Address,
  concat,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  toHex,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compileSource } from '../../../scripts/demo-chain/compile.ts'
import { readParents } from '../src/asked/readParents.ts'
import type { Inspection } from '../src/inspect/Inspection.ts'
import { inspectContract } from '../src/inspect/inspectContract.ts'
import { createNodes } from '../src/nodes/createNodes.ts'
import { testCommunity } from './community.ts'
import { type Behaviour, startProxy } from './proxy.ts'
import { startWorld, type World } from './world.ts'

const sources = ['Inspected', 'Families'].map((name) => {
  const file = `${name}.sol`
  return compileSource(file, readFileSync(join(import.meta.dirname, 'contract', file), 'utf8'))
})
const contracts = Object.assign({}, ...sources) as (typeof sources)[number]

function contractOf(name: string) {
  const found = contracts[name]
  if (!found) throw new Error(`There is no contract ${name}.`)
  return found
}

/** Made-up addresses that look like real ones, unlike small numbers. */
const people = Array.from({ length: 16 }, (_, index): Address => `0x${keccak256(numberToHex(index)).slice(26)}`)
const [founder] = people as [Address]
/** The referrer of each one but the first. */
const above = (index: number): Address => people[Math.floor((index - 1) / 2)] ?? zeroAddress

let world: World
let token: Address

beforeAll(async () => {
  world = await startWorld([testCommunity()])
  const { client } = world.chain
  await client.request({ method: 'anvil_autoImpersonateAccount', params: [true] } as never)
  for (const address of people) await client.setBalance({ address, value: 10n ** 20n })
  token = await deploy('Plain')
})
afterAll(() => world?.stop())

async function send(account: Address, to: Address | undefined, data: Hex, value = 0n): Promise<Address> {
  const { client } = world.chain
  const hash = await client.sendTransaction({ account, to, data, value, chain: null, gas: 3_000_000n })
  for (let tries = 1; ; tries++) {
    const receipt = await client.getTransactionReceipt({ hash }).catch(() => undefined)
    if (receipt?.status === 'success') return receipt.contractAddress ?? zeroAddress
    if (receipt) throw new Error('The transaction reverted.')
    // Rarely, anvil accepts a transaction without mining it.
    if (tries % 100 === 0) await client.mine({ blocks: 1 })
    await delay(5)
  }
}

function deploy(name: string, ...args: unknown[]): Promise<Address> {
  const { abi, bytecode } = contractOf(name)
  return send(founder, undefined, encodeDeployData({ abi, bytecode, args }))
}

const call = (account: Address, to: Address, name: string, functionName: string, ...args: unknown[]) =>
  send(account, to, encodeFunctionData({ abi: contractOf(name).abi, functionName, args }))

/** Lets everyone call a function once, in order. */
async function play(at: Address, name: string, functionName: string, argument: (index: number) => unknown) {
  for (const [index, one] of people.entries()) await call(one, at, name, functionName, argument(index))
}

const inspect = (address: Address, options: object = {}, url = world.chain.url): Promise<Inspection> =>
  inspectContract({ address, nodes: createNodes({ urls: [url] }), ...options })

/** Deploys a contract that everyone joins by naming the referrer. */
async function joined(name: string, ...args: unknown[]): Promise<Address> {
  const at = await deploy(name, ...args)
  await play(at, name, 'join', above)
  return at
}

/** Returns the three above one, with the first of all where there are fewer. */
function uplinesOf(index: number): Address[] {
  const up = (of: number) => Math.max(Math.floor((of - 1) / 2), 0)
  return [up(index), up(up(index)), up(up(up(index)))].map((one) => people[one] as Address)
}

/** Deploys a contract in which each one invites five others. */
async function joinedWide(name: string, functionName: string): Promise<Address> {
  const at = await deploy(name)
  await play(at, name, functionName, (index) => people[Math.floor((index - 1) / 5)] ?? zeroAddress)
  return at
}

const place = (name: string) => numberToHex(BigInt(keccak256(toHex(name))) - 1n, { size: 32 })

/** Deploys a proxy of a contract that everyone joins. */
async function joinedProxy(kind: 'implementation' | 'beacon' | 'clone'): Promise<Address> {
  const target = await deploy('Linked', true)
  const clone = concat(['0x3d602d80600a3d3981f3363d3d373d3d3d363d73', target, '0x5af43d82803e903d91602b57fd5bf3'])
  const at =
    kind === 'clone'
      ? await send(founder, undefined, clone)
      : await deploy(
          'Proxy',
          place(`eip1967.proxy.${kind}`),
          kind === 'beacon' ? await deploy('Beacon', target) : target,
        )
  await play(at, 'Linked', 'join', above)
  return at
}

async function transferred(name: string): Promise<Address> {
  const at = await deploy(name)
  for (const [index, one] of people.entries())
    if (index > 0) {
      await call(above(index), at, name, 'transfer', one, 1n)
      await call(one, at, name, 'transfer', above(index), 1n)
    }
  return at
}

const transfer = { event: 'event Transfer(address indexed from, address indexed to, uint256 value)' }
const unknownEvent = expect.stringMatching(/^event 0x[0-9a-f]{64}\(/)
const getReferrer = 'function getReferrer(address) view returns (address)'
const getInviter = 'function getInviter(address) view returns (address)'
const confirmed = (view: string) => ({ about: 'order', level: 'found', evidence: `15 of 15 members confirm ${view}` })

type Case = {
  name: string
  make: () => Promise<Address>
  community: object
  finding?: object
}

const cases: Case[] = [
  {
    name: 'an event of its own, the member first',
    make: () => joined('Linked', true),
    community: { event: unknownEvent, member: 'value1', referrer: 'value2', parent: getReferrer },
    finding: confirmed('getReferrer'),
  },
  {
    name: 'an event of its own, the referrer first',
    make: () => joined('Linked', false),
    community: { event: unknownEvent, member: 'value2', referrer: 'value1', parent: getReferrer },
    finding: confirmed('getReferrer'),
  },
  ...(['implementation', 'beacon', 'clone'] as const).map((kind) => ({
    name: `a proxy: ${kind}`,
    make: () => joinedProxy(kind),
    community: { event: unknownEvent, member: 'value1', parent: getReferrer },
    finding: { about: 'code', text: expect.stringMatching(/^runs the code of 0x/) },
  })),
  {
    name: 'a known event without a view: the sender is the member',
    make: () => joined('Viewless'),
    community: { preset: 'bind', order: 'referrerFirst' },
    finding: { about: 'order', evidence: '16 of 16 senders are the second' },
  },
  {
    name: 'transfers there and back',
    make: () => transferred('TwoWay'),
    community: {
      candidates: [{ ...transfer, members: ['from', 'to'] }],
      changes: 'once',
      parent: 'function inviter(address) view returns (address)',
    },
  },
  {
    name: 'a first receipt',
    make: () => transferred('FirstReceipt'),
    community: {
      candidates: [{ ...transfer, members: ['from', 'to'] }],
      parent: 'function inviter(address) view returns (address)',
    },
  },
  {
    name: 'a struct, and an event with the member only',
    make: () => joined('StructView'),
    community: {
      candidates: [{ event: unknownEvent, members: ['value1'] }],
      parent: { view: expect.stringContaining(' users(address) '), output: expect.anything() },
    },
  },
  {
    name: 'ids, beside a matrix and other numbers',
    make: async () => {
      const at = await deploy('Matrix')
      await play(at, 'Matrix', 'join', (index) => BigInt(Math.ceil(index / 2)))
      return at
    },
    community: { parent: { output: 1, next: { view: 'function userList(uint256) view returns (address)' } } },
  },
  {
    name: 'a list of members in the event, and ids behind a view without a known name',
    make: async () => {
      const at = await deploy('Numbered')
      await play(at, 'Numbered', 'register', (index) => BigInt(Math.ceil(index / 2)))
      return at
    },
    community: { candidates: [{ event: unknownEvent, members: ['value1'] }], parent: { next: expect.anything() } },
  },
  {
    name: 'a private mapping',
    make: () => transferred('PrivateSlot'),
    community: { parent: { slot: '0x1' } },
  },
  {
    name: 'a word of a private struct',
    make: () => joined('PrivateStruct'),
    community: { parent: { slot: '0x1', offset: 1 } },
  },
  {
    name: 'rewards by level',
    make: async () => {
      const at = await deploy('RewardLevels')
      for (let round = 0; round < 2; round++) await play(at, 'RewardLevels', 'deposit', above)
      return at
    },
    community: { preset: 'refBonus', parent: 'function getUserReferrer(address) view returns (address)' },
    finding: { about: 'binds', text: expect.stringContaining('only with level 0') },
  },
  {
    name: 'an event that is emitted for refused binds too',
    make: async () => {
      const at = await deploy('RefusedBind')
      await play(at, 'RefusedBind', 'bind', above)
      await play(at, 'RefusedBind', 'bind', () => founder)
      return at
    },
    community: {
      candidates: [{ event: unknownEvent, members: ['value1', 'value2'] }],
      parent: 'function invitor(address) view returns (address)',
    },
  },
  {
    name: 'functions that move members without the event',
    make: async () => {
      const at = await deploy('Administered')
      await play(at, 'Administered', 'bind', above)
      return at
    },
    community: { candidates: [{ event: unknownEvent, members: ['value1', 'value2'] }], changes: 'any' },
  },
  {
    name: 'referrers that moved',
    make: async () => {
      const at = await deploy('SilentMove')
      await play(at, 'SilentMove', 'buy', above)
      await play(at, 'SilentMove', 'climb', () => undefined).catch(() => undefined)
      return at
    },
    community: { changes: 'any', parent: 'function parentOf(address) view returns (address)' },
  },
  {
    name: 'only transfers of another token name members',
    make: async () => joined2('Paid', 'buy', token),
    community: {
      candidates: [{ address: expect.any(String), ...transfer, members: ['from'], where: { to: expect.any(String) } }],
      parent: { view: 'function getUserInfo(address) view returns (uint256, uint256, uint256, address)', output: 3 },
    },
  },
  {
    name: 'amounts of a token and of BNB',
    make: async () => joined2('Rewarded', 'join', token),
    community: {
      preset: 'registered',
      rewards: { member: 'user' },
      tokens: { reward: { symbol: 'PLAIN', decimals: 6 } },
    },
  },
  {
    name: 'who invited, and not the place in a matrix',
    make: () => joined('Placed'),
    community: {
      preset: 'registration',
      parent: { view: expect.stringContaining(' users(address) '), output: 'referrer' },
    },
    finding: confirmed('users, output referrer'),
  },
  {
    name: 'who invited, and not the place in a binary tree before it',
    make: () => joinedWide('Spilled', 'join'),
    community: { event: unknownEvent, member: 'value1', referrer: 'value3', parent: { output: 2 } },
  },
  {
    name: 'who invited, and not the place in a tree behind another view',
    make: () => joinedWide('Seated', 'join'),
    community: { member: 'value1', referrer: 'value3', parent: 'function sponsorOf(address) view returns (address)' },
  },
  {
    name: 'passes, each of which knows the one of the referrer',
    make: () => joined('Passes'),
    community: {
      candidates: [{ members: ['to'] }],
      parent: { next: { next: { view: 'function 0x6352211e(uint256) view returns (address)' } } },
    },
  },
  {
    name: 'the contract itself for those without a referrer, and a number of each log',
    make: () => joined('Airdrop'),
    community: { event: unknownEvent, member: 'value2', referrer: 'value4', roots: [expect.any(String)] },
    finding: confirmed('getReferrer'),
  },
  {
    name: 'members who have left',
    make: async () => {
      const at = await joined('Leaving')
      for (const index of [5, 9]) await call(people[index] as Address, at, 'Leaving', 'quit')
      return at
    },
    community: { changes: 'any' },
    finding: { about: 'changes', level: 'found' },
  },
  {
    name: 'codes of referrers',
    make: () => joined('Codes'),
    community: {
      candidates: [{ event: unknownEvent, members: ['value1'] }],
      changes: 'any',
      parent: { view: expect.stringContaining('(address)'), next: { view: expect.stringContaining('(bytes32) ') } },
    },
    finding: { about: 'changes', level: 'guess', evidence: expect.stringContaining('code') },
  },
  {
    name: 'codes of referrers that are texts',
    make: () => joined('TextCodes'),
    community: {
      candidates: [{ event: unknownEvent, members: ['value1'] }],
      changes: 'any',
      parent: {
        view: expect.stringMatching(/\(address\) view returns \(string\)$/),
        next: { view: expect.stringContaining('(string) view returns (address)') },
      },
    },
    finding: { about: 'parent', evidence: expect.stringContaining('a referrer for 15 of 16 addresses') },
  },
  {
    name: 'binds that someone else sends, without a view: members are those named once',
    make: () => relayed(false),
    community: { preset: 'referral', order: 'referrerFirst' },
    finding: { about: 'order', level: 'guess', evidence: 'each second has one referrer, and a first has several' },
  },
  {
    name: 'binds that referrers send, without a view',
    make: async () => {
      const at = await deploy('Inviting')
      for (const [index, one] of people.entries())
        if (index > 0) await call(above(index), at, 'Inviting', 'invite', one)
      return at
    },
    community: { preset: 'bind', order: 'referrerFirst' },
    finding: { about: 'order', level: 'guess', evidence: 'each second has one referrer, and a first has several' },
  },
  {
    name: 'an event of its own that a relayer sends, without a view',
    make: async () => {
      const at = await deploy('Unnamed')
      for (const [index, one] of people.entries()) await call(founder, at, 'Unnamed', 'bind', one, above(index))
      return at
    },
    community: { event: unknownEvent, member: 'value2', referrer: 'value1' },
  },
  {
    name: 'two events of its own that bind, without a view',
    make: () => joined('Unnamed'),
    community: {
      ...{ member: 'value1', referrer: 'value2' },
      more: { binds: [{ event: unknownEvent, member: 'value2', referrer: 'value1' }] },
    },
  },
  {
    name: 'an account for each member and a place in a tree beside who invited, without a view',
    make: () => joinedWide('Unnamed', 'place'),
    community: { event: unknownEvent, member: 'value2', referrer: 'value4' },
    finding: { about: 'order', level: 'guess', evidence: '16 of 16 senders are the value2' },
  },
  ...([true, false] as const).map((isBonus) => ({
    name: `levels of known events that begin with ${isBonus ? 1 : 0}, without a view`,
    make: async () => {
      const at = await deploy('Levelled')
      for (const [index, one] of people.entries())
        if (index > 0) await call(one, at, 'Levelled', 'join', [...new Set(uplinesOf(index))], isBonus)
      return at
    },
    community: { member: isBonus ? 'referral' : 'user', referrer: 'referrer', where: { level: isBonus ? 1 : 0 } },
  })),
  {
    name: 'referrers of three levels in an event, without a view',
    make: async () => {
      const at = await deploy('ThreefoldEvent')
      for (const [index, one] of people.entries())
        if (index > 0) await call(one, at, 'ThreefoldEvent', 'join', ...uplinesOf(index))
      return at
    },
    community: { event: unknownEvent, member: 'value1', referrer: 'value2' },
  },
  {
    name: 'referrers of three levels behind a view',
    make: () => joined('Threefold'),
    community: { parent: expect.stringMatching(/^function 0x\w+\(address\) view returns \(address\)$/) },
  },
  {
    name: 'another event after an upgrade, without a view',
    make: () => joined('Renamed', true),
    community: {
      preset: 'bind',
      order: 'memberFirst',
      more: { binds: [{ preset: 'bindReferral' }] },
    },
  },
  {
    name: 'a list of users by id',
    make: () => joined('UserList'),
    community: {
      candidates: [{ event: unknownEvent, members: ['value3'] }],
      parent: { view: expect.stringContaining('(address)'), next: { output: 1, next: expect.anything() } },
    },
  },
  {
    name: 'an owner for everyone who has no referrer',
    make: () => joined('Hostile', 'owner'),
    community: { parent: 'function referrerOf(address) view returns (address)', roots: [founder] },
  },
  {
    name: 'a view that takes much gas for members far down',
    make: () => joined('Costly', 20_000, 0),
    community: { parent: getInviter },
    finding: { about: 'parent', evidence: expect.stringContaining('a referrer for 15 of 16 addresses') },
  },
  {
    name: 'a view that fails for most members: the storage is read',
    make: () => joined('Costly', 0, 5),
    community: { parent: { slot: '0x0' } },
  },
  ...['reverts', 'loops', 'garbage', 'cycles', 'clock'].map((kind) => ({
    name: `a view that ${kind}: the storage is read`,
    make: () => joined('Hostile', kind),
    community: { parent: { slot: '0x0' } },
    finding: { about: 'parent', level: 'guess' },
  })),
]

/** Deploys a contract to which the founder sends the binds of everyone. */
async function relayed(hasView: boolean): Promise<Address> {
  const at = await deploy('Relayed', hasView)
  for (const [index, one] of people.entries())
    if (index > 0) await call(founder, at, 'Relayed', 'bind', one, above(index))
  return at
}

async function joined2(name: string, functionName: string, ...args: unknown[]): Promise<Address> {
  const at = await deploy(name, ...args)
  await play(at, name, functionName, above)
  return at
}

test.each(cases)('behavior: $name', async ({ make, community, finding }) => {
  const at = await make()
  const found = await inspect(at)
  expect(found.community).toMatchObject(community)
  if (finding) expect(found.findings).toContainEqual(expect.objectContaining(finding))
  expect(found.findings).toContainEqual(expect.objectContaining({ about: 'startBlock', level: 'found' }))
  expect(parseConfig({ communities: [found.community] }).communities).toHaveLength(1)
})

test('behavior: a token that binds no one is said to be no referral contract', async () => {
  for (const [index, one] of people.entries()) {
    await call(one, token, 'Plain', 'transfer', people[(index * 7 + 3) % 16], 10n ** 24n)
    await call(one, token, 'Plain', 'delegate', people[(index * 3 + 3) % 16])
  }
  const { community, findings, doubts } = await inspect(token)
  expect(community).toBeNull()
  expect(findings).toContainEqual(
    expect.objectContaining({ level: 'missing', text: expect.stringMatching(/^this is no referral contract/) }),
  )
  expect(doubts).toEqual([expect.objectContaining({ settle: expect.stringContaining('lists, ids or codes') })])
})

test('behavior: a further event that names other referrers is left out, and that is said', async () => {
  const { community, findings } = await inspect(await joined('Renamed', false))
  expect(community).toMatchObject({ preset: 'bind' })
  expect(community).not.toHaveProperty('more')
  expect(findings).toContainEqual(
    expect.objectContaining({ about: 'binds', level: 'missing', text: expect.stringContaining('is left out') }),
  )
})

test('behavior: a further event that names other referrers of the same members is asked about', async () => {
  const at = await joined('Moved')
  for (const index of [7, 8, 9, 10, 11])
    await call(people[index] as Address, at, 'Moved', 'move', above(index), people[index - 6])
  const { community, doubts } = await inspect(at)
  expect(community).not.toHaveProperty('more')
  expect(doubts).toContainEqual({
    question: expect.stringMatching(/^Does event 0x\w+\(.*\) move members\? It names another address for 3 of those/),
    settle: expect.stringContaining('"rebind": "last"'),
  })
})

test('behavior: members that are contracts themselves have referrers', async () => {
  const at = await relayed(true)
  const { client } = world.chain
  for (const address of people) await client.setCode({ address, bytecode: `0x${'5b'.repeat(60)}` })
  const { community } = await inspect(at)
  for (const address of people) await client.setCode({ address, bytecode: '0x' })
  expect(community).toMatchObject({
    preset: 'referral',
    order: 'referrerFirst',
    parent: 'function referrerOf(address) view returns (address)',
  })
})

const questionsOf = async (at: Address) => (await inspect(at)).doubts.map(({ question }) => question)

/** Lets everyone join the first of two pools, and half of them the second one below others. */
async function pooled(hasView: boolean): Promise<Address> {
  const at = await deploy('Pools', hasView)
  for (const [index, one] of people.entries()) {
    if (index > 0 && index < 14) await call(one, at, 'Pools', 'join', 1n, above(index))
    if (index % 2 > 0) await call(one, at, 'Pools', 'join', 2n, people[(index + 5) % 16] as Address)
  }
  return at
}

test('behavior: of several communities in a contract without a view, the largest is read, and that is asked', async () => {
  const { community, doubts } = await inspect(await pooled(false))
  const pool = keccak256(numberToHex(1, { size: 32 }))
  expect(community).toMatchObject({
    event: unknownEvent,
    member: 'value2',
    referrer: 'value3',
    where: { value1: pool },
  })
  expect(parseConfig({ communities: [community] }).communities).toHaveLength(1)
  expect(doubts.map(({ question }) => question)).toContainEqual(
    expect.stringContaining('Does value1 tell communities apart'),
  )
})

test('behavior: of several communities in a contract that is asked for the first, the others are mentioned', async () => {
  const at = await pooled(true)
  expect((await inspect(at)).community).toMatchObject({ where: { value1: 1 }, parent: { args: [1] } })
  expect(await questionsOf(at)).toContainEqual(
    expect.stringContaining('Logs with another value1 name 1 members who are not in this community'),
  )
})

test('behavior: a second referrer of a member, without a view that tells which one counts, is asked about', async () => {
  const at = await joined('Viewless')
  for (const one of people.slice(4, 8)) await call(one, at, 'Viewless', 'join', people[2] as Address)
  expect((await inspect(at)).community).not.toHaveProperty('where')
  expect(await questionsOf(at)).toContainEqual(
    expect.stringMatching(/^2 of 20 logs name another referrer for a member/),
  )
})

test('behavior: members whom the constructor bound are asked for', async () => {
  const at = await deploy('Imported', people.slice(1, 4), founder)
  await play(at, 'Imported', 'join', above)
  expect(await questionsOf(at)).toContainEqual(expect.stringMatching(/^3 of 15 members were bound without the event/))
})

test('behavior: a view that returns fewer referrers than the chosen one is mentioned', async () => {
  const at = await joined('Wished')
  for (const index of [1, 2, 3, 5, 6, 7]) await call(above(index), at, 'Wished', 'accept', people[index] as Address)
  expect(await questionsOf(at)).toContainEqual(expect.stringContaining('returns fewer addresses than'))
})

test('behavior: a view that fails for some members is doubted', async () => {
  const at = await joined('Costly', 0, 2)
  expect((await inspect(at)).community).toMatchObject({ parent: getInviter })
  expect(await questionsOf(at)).toContainEqual(
    expect.stringMatching(/^getInviter fails for 4 of 16 addresses that took part/),
  )
})

test('behavior: events without a name are left out, and that is said', async () => {
  const { community, findings } = await inspect(await joined('Anonymous'))
  expect(community).toMatchObject({ candidates: [{ file: 'members.csv' }] })
  expect(community).toHaveProperty('candidates.length', 1)
  expect(findings).toContainEqual(expect.objectContaining({ about: 'logs', level: 'missing' }))
})

test('behavior: amounts in several tokens are left out, and that is said', async () => {
  const at = await joined2('TwoTokens', 'join', token, await deploy('Plain'))
  const { community, findings, doubts } = await inspect(at)
  expect(community).toMatchObject({ preset: 'registered' })
  expect(community).not.toHaveProperty('rewards')
  expect(findings).toContainEqual(
    expect.objectContaining({ about: 'tokens', level: 'missing', evidence: expect.stringContaining('2 tokens') }),
  )
  expect(doubts).toContainEqual(expect.objectContaining({ settle: expect.stringContaining('"where"') }))
})

test('behavior: referrers of which each has one member, and none is a member, are taken for them with a doubt', async () => {
  const at = await deploy('Named')
  for (const [index, one] of people.entries())
    await call(one, at, 'Named', 'join', `0x${keccak256(numberToHex(index + 500)).slice(26)}`)
  const { community, doubts } = await inspect(at)
  expect(community).toMatchObject({ member: 'value1', referrer: 'value2' })
  expect(doubts).toContainEqual(
    expect.objectContaining({ question: expect.stringMatching(/^Each of 16 members has a value2 of its own/) }),
  )
})

test('behavior: contracts that are made for members are not taken for their referrers', async () => {
  const { community, findings } = await inspect(await joined('Personal'))
  expect(community).toBeNull()
  const evidence = expect.stringMatching(/^each of 16 addresses has another value2, and most of these are contracts$/)
  expect(findings).toContainEqual({
    about: 'binds',
    text: expect.stringMatching(/is no bind$/),
    evidence,
    level: 'missing',
  })
})

test('behavior: an event of which an upgrade indexes another argument is read in both forms', async () => {
  const slot = place('eip1967.proxy.implementation')
  const at = await deploy('Proxy', slot, await deploy('Indexed'))
  for (const [index, one] of people.entries()) {
    if (index === 8)
      await world.chain.client.setStorageAt({
        address: at,
        index: slot,
        value: pad(await deploy('IndexedBoth')),
      })
    await call(one, at, 'Indexed', 'join', above(index))
  }
  const { community, doubts } = await inspect(at)
  expect(doubts).not.toContainEqual({ question: expect.stringContaining('does not load'), settle: expect.anything() })
  expect(community).toMatchObject({ candidates: [{}, {}], parent: getReferrer })
})

test('behavior: an address without a contract is said to have none', async () => {
  const { community, findings } = await inspect(people[3] as Address)
  expect(community).toBeNull()
  expect(findings).toEqual([expect.objectContaining({ about: 'code', level: 'missing' })])
})

test('behavior: a contract that was destroyed is said to have logs', async () => {
  const at = await joined('Viewless')
  await world.chain.client.setCode({ address: at, bytecode: '0x' })
  await world.chain.client.mine({ blocks: 1 })
  const { community, findings, doubts } = await inspect(at)
  expect(community).toBeNull()
  expect(findings).toContainEqual(
    expect.objectContaining({ about: 'logs', text: expect.stringMatching(/^it emitted logs/) }),
  )
  expect(doubts).toEqual([
    { question: expect.stringContaining('destroyed'), settle: expect.stringContaining('without "parent"') },
  ])
})

test('behavior: without logs, senders of transactions are members, and a file of them is asked for', async () => {
  const at = await deploy('NoLog')
  await play(at, 'NoLog', 'register', above)
  const { community, findings, doubts } = await inspect(at)
  expect(community).toMatchObject({ candidates: [{ file: 'members.csv' }], parent: getReferrer })
  expect(findings).toContainEqual(expect.objectContaining({ about: 'parent', text: 'getReferrer', level: 'found' }))
  expect(findings).toContainEqual(expect.objectContaining({ about: 'candidates', level: 'missing' }))
  expect(doubts).toContainEqual(expect.objectContaining({ settle: expect.stringContaining('"calls": true') }))
})

const refusal = (message: string, code = -32000) => ({ error: { code, message } })
const isOldState = (params: readonly unknown[], before: number) =>
  [params[1], params[2]].some((at) => typeof at === 'string' && /^0x[0-9a-f]{1,8}$/.test(at) && Number(at) < before)

/** Nodes with faults. */
const nodes: { name: string; behave: (head: number) => Behaviour }[] = [
  {
    name: 'without old states',
    behave:
      (head) =>
      ({ method, params }) =>
        /^eth_(getCode|call|getStorageAt)$/.test(method) && isOldState(params, head)
          ? refusal('missing trie node')
          : undefined,
  },
  {
    name: 'with ten blocks a request',
    behave:
      () =>
      ({ method, params: [filter] }) => {
        const { fromBlock, toBlock } = (filter ?? {}) as { fromBlock?: string; toBlock?: string }
        return method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) >= 10
          ? refusal('exceed maximum block range: 10')
          : undefined
      },
  },
  {
    name: 'that limits the rate',
    behave: () => {
      let count = 0
      return () => (++count % 5 === 0 ? refusal('too many requests', 429) : undefined)
    },
  },
  {
    name: 'without eth_getLogs',
    behave:
      () =>
      ({ method }) =>
        method === 'eth_getLogs' ? refusal('the method eth_getLogs is not available', -32601) : undefined,
  },
]

test.each(nodes)('behavior: a node $name leads to the same view, or to a question', async ({ name, behave }) => {
  const at = await joined('Linked', true)
  const node = await startProxy(world.chain.url, behave(await world.headNumber()))
  const { community, findings, doubts } = await inspect(at, {}, node.url)
  await node.stop()
  expect(findings).toContainEqual(expect.objectContaining({ about: 'parent', text: 'getReferrer' }))
  expect(community).toMatchObject({ parent: getReferrer })
  if (name === 'without eth_getLogs') expect(doubts.map(({ settle }) => settle).join()).toMatch(/members\.csv.*--rpc/s)
  else expect(community).toMatchObject({ event: unknownEvent, member: 'value1', referrer: 'value2' })
})

test('error: answers that are no code, no logs and no results end in a clear error', async () => {
  const node = await startProxy(world.chain.url, ({ method }) =>
    ['eth_getCode', 'eth_call', 'eth_getLogs', 'eth_getStorageAt'].includes(method)
      ? { result: { wrong: [] } }
      : undefined,
  )
  const { community, findings } = await inspect(token, {}, node.url)
  await node.stop()
  expect(community).toBeNull()
  expect(findings).toContainEqual(expect.objectContaining({ level: 'missing' }))
})

/** Returns the referrers that the view of the contract returns. */
async function referrersOf(community: Community): Promise<Record<string, Address | null>> {
  const nodes = createNodes({ urls: [world.chain.url] })
  const answers = await readParents(nodes, community, people, await world.headNumber())
  return Object.fromEntries(people.flatMap((one, at) => (answers[at] ? [[one, answers[at]]] : [])))
}

test('behavior: the written configuration is read as the contract answers', async () => {
  const found = [
    await inspect(await joined('Linked', false)),
    await inspect(await joined('StructView')),
    await inspect(await joined('PrivateStruct')),
    await inspect(await joined('UserList')),
    await inspect(await joined('TextCodes')),
  ]
  const communities = found.map(({ community }) => community as never)
  await world.configure(communities)
  const index = await world.createIndex()
  await index.start()
  for (const community of parseConfig({ communities }).communities) {
    const expected = await referrersOf(community)
    expect(Object.keys(expected)).toHaveLength(15)
    const read = async () => {
      const rows = await index.query<{ member: Address; other: Address }>(
        `select '0x' || encode(member, 'hex') as member, '0x' || encode(other, 'hex') as other from ${indexSchema}.event
          where source = (select max(id) from ${indexSchema}.source where community = $1)`,
        [community.id],
      )
      // The first one joined without a referrer.
      return Object.fromEntries(rows.flatMap(({ member, other }) => (BigInt(other) === 0n ? [] : [[member, other]])))
    }
    await expect.poll(read).toEqual(expected)
  }
})
