import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConfigInput } from '@lineage/communities'
import { indexSchema } from '@lineage/database'
import {
  type Abi,
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  hexToNumber,
  keccak256,
  numberToHex,
  slice,
  zeroAddress,
} from 'viem'
import multicall3 from '../../../scripts/demo-chain/contract/Multicall3.json' with { type: 'json' }
import { createRandom, type Random } from '../../../scripts/lib/createRandom.ts'
import { testCommunity } from './community.ts'
import families from './contract/Families.json' with { type: 'json' }
import { type NodeProxy, startProxy } from './proxy.ts'
import { poll } from './reader.ts'
import { type Index, startWorld, type World } from './world.ts'

type Family = keyof typeof families.contracts
type CommunityInput = ConfigInput['communities'][number]

const multicall: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'
const members = 70
const transfers = [
  { event: 'event Transfer(address indexed from, address indexed to, uint256 value)', members: ['from', 'to'] },
]
const named = (event: string, ...names: string[]) => [{ event, members: names }]

/** The fields that a community of each contract has beside its address. */
const configured: Record<string, { family: Family; fields: Partial<CommunityInput> }> = {
  'two-way': {
    family: 'TwoWay',
    fields: { candidates: transfers, parent: 'function inviter(address) view returns (address)' },
  },
  'first-receipt': {
    family: 'FirstReceipt',
    fields: { candidates: transfers, parent: 'function inviter(address) view returns (address)' },
  },
  'silent-move': {
    family: 'SilentMove',
    fields: {
      candidates: named('event Bought(address indexed user, uint256 amount)', 'user'),
      parent: 'function parentOf(address) view returns (address)',
      changes: 'any',
    },
  },
  'refused-bind': {
    family: 'RefusedBind',
    fields: {
      candidates: named('event BindInvitor(address indexed user, address indexed invitor)', 'user'),
      parent: 'function invitor(address) view returns (address)',
    },
  },
  levels: {
    family: 'RewardLevels',
    fields: {
      candidates: named(
        'event RefBonus(address indexed referrer, address indexed referral, uint256 indexed level, uint256 amount)',
        'referral',
      ),
      parent: 'function getUserReferrer(address) view returns (address)',
    },
  },
  'levels-event': {
    family: 'RewardLevels',
    fields: { preset: 'refBonus', parent: 'function getUserReferrer(address) view returns (address)' },
  },
  struct: {
    family: 'StructView',
    fields: {
      candidates: named('event Joined(address user)', 'user'),
      parent: {
        view: 'function users(address) view returns (uint256 id, address upline, uint256 joinedAt)',
        output: 'upline',
      },
    },
  },
  numbered: {
    family: 'Numbered',
    fields: {
      candidates: named('event Registered(address[] users)', 'users'),
      parent: {
        view: 'function parentIdOf(address) view returns (uint256)',
        next: { view: 'function userOf(uint256) view returns (address)' },
      },
    },
  },
  slot: { family: 'PrivateSlot', fields: { candidates: transfers, parent: { slot: 1 } } },
  'no-log-file': {
    family: 'NoLog',
    fields: { candidates: [{ file: 'members.csv' }], parent: 'function getReferrer(address) view returns (address)' },
  },
  'no-log-calls': {
    family: 'NoLog',
    fields: {
      candidates: [{ calls: 'function register(address referrer)' }],
      parent: 'function getReferrer(address) view returns (address)',
    },
  },
  administered: {
    family: 'Administered',
    fields: {
      candidates: [
        ...named('event Bound(address indexed user, address indexed referrer)', 'user', 'referrer'),
        // Between two sweeps, the administrator may let an account that nothing names change places with a member.
        { file: 'members.csv' },
      ],
      parent: 'function referrers(address) view returns (address)',
      changes: 'any',
    },
  },
}

/** Functions that a member calls in each contract, with their arguments made from the member and another one. */
const actions: Record<string, [name: string, args: (other: Address, random: Random) => readonly unknown[]][]> = {
  TwoWay: [['transfer', (other) => [other, 1n]]],
  FirstReceipt: [['transfer', (other) => [other, 1n]]],
  SilentMove: [
    ['buy', (other) => [other]],
    ['climb', () => []],
  ],
  RefusedBind: [['bind', (other) => [other]]],
  RewardLevels: [['deposit', (other) => [other]]],
  StructView: [['join', (other) => [other]]],
  Numbered: [['register', (_, random) => [BigInt(random.below(members))]]],
  PrivateSlot: [['transfer', (other) => [other, 1n]]],
  NoLog: [['register', (other) => [other]]],
  Administered: [
    ['bind', (other) => [other]],
    ['move', (other) => [other, other]],
    ['swap', (other) => [other]],
  ],
}

export type FamiliesParameters = {
  actions: number
  /** Seed of the random numbers. It repeats a run, as far as timing allows. */
  seed: number
  /** Goes on until so many minutes are over. @default 0 */
  minutes?: number
  log?: (message: string) => void
}

/** One referrer, or block of a bind, that is not the contract's. */
export type Difference = { community: string; member: Address; stored: unknown; onChain: unknown }

export type StoredBind = {
  community: string
  member: Address
  other: Address | null
  block: number
  logIndex: number
  time: number
  /** Position in `grades`. */
  grade: number
}

/**
 * Lets accounts play with contracts of all families on one chain, while one reader indexes them, is killed, and the chain is
 * reorganised. Then compares each referrer with the contract's view at the newest block, and each exact block with the
 * views of all blocks.
 */
export async function runFamilies({ actions: least, seed, minutes = 0, log = () => {} }: FamiliesParameters) {
  const random = createRandom(seed)
  const world = await startWorld([testCommunity()], { accounts: members })
  const node = await startProxy(world.chain.url)
  try {
    // While anvil mines, it answers calls at the newest block with the state of the next one.
    const game = await createGame(world, random, node.hold)
    const communities = game.communities
    await world.configure(communities)
    await writeMembers(world, game.accounts.slice(0, members / 2))
    const index = await world.createIndex()
    const options = { url: node.url, env: { LINEAGE_SWEEPS: '600' } }
    let reader = await index.start(options)
    const rereadIfReplaced = async () => {
      if (!reader.output().includes('serve another chain')) return false
      await reader.kill('SIGKILL')
      reader = await index.start({ ...options, command: 'reread' })
      game.counts.rereads++
      return true
    }
    const end = performance.now() + minutes * 60_000
    while (game.counts.actions < least || performance.now() < end) {
      await game.play(20 + random.below(80))
      if (random.below(5) > 0) continue
      // Half of the faults come while the reader has read all blocks, half before.
      if (random.below(2) === 0) await waitForHead(world, index)
      const kind = random.below(3)
      if (kind < 2) await game.reorganise(1 + random.below(45))
      if (kind > 0 || reader.hasEnded()) {
        await reader.kill('SIGKILL')
        reader = await index.start(options)
      }
      await rereadIfReplaced()
      if (game.counts.actions > least / 2) await writeMembers(world, game.accounts)
    }
    log(`${JSON.stringify(game.counts)}, block ${await world.headNumber()}`)
    await writeMembers(world, game.accounts)
    let differing: Difference[] = []
    const differs = async () => {
      await waitForHead(world, index)
      if (await rereadIfReplaced()) return true
      differing = await compareReferrers(world, index, game)
      // Sweeps come with blocks.
      if (differing.length > 0) await node.hold(() => world.chain.client.mine({ blocks: 1 }))
      return differing.length > 0
    }
    await poll(async () => !(await differs()), 120_000).catch(() => undefined)
    const binds = await readBinds(index)
    const blocks = await compareBlocks(world, game, binds)
    return {
      parents: await readTruth(world, game, await world.headNumber()),
      counts: game.counts,
      differing,
      ...blocks,
      binds,
      communities,
      accounts: game.accounts,
      output: reader.output(),
    }
  } finally {
    await world.stop()
    await node.stop()
  }
}

/** Waits until the reader has read all blocks, or has found out that it cannot. */
async function waitForHead(world: World, index: Index, limit = 20_000): Promise<void> {
  const head = await world.headNumber()
  const isRead = async () => {
    const sources = await index.sources()
    return sources.length > 0 && sources.every(({ block, replaced }) => block === head || replaced !== null)
  }
  await poll(isRead, limit).catch(() => undefined)
}

const writeMembers = (world: World, accounts: readonly Address[]) =>
  writeFile(join(world.folder, 'members.csv'), `member\n${accounts.join('\n')}\n`)

type Call = { method: string; params: unknown[] }

/** Sends requests to the chain as one batch. Returns the results. */
async function requestAll<result>({ chain }: World, calls: readonly Call[]): Promise<result[]> {
  const found: result[] = []
  for (let first = 0; first < calls.length; first += 200) {
    const part = calls.slice(first, first + 200).map((call, id) => ({ jsonrpc: '2.0', id, ...call }))
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(chain.url, { method: 'POST', headers, body: JSON.stringify(part) })
    const answers = (await response.json()) as { id: number; result?: result; error?: { message: string } }[]
    for (const { result, error } of answers.toSorted((left, right) => left.id - right.id)) {
      if (error) throw new Error(error.message)
      found.push(result as result)
    }
  }
  return found
}

type Game = Awaited<ReturnType<typeof createGame>>

/** Deploys the contracts. The game plays random actions of random accounts, and reorganises the chain. */
async function createGame(world: World, random: Random, hold: NodeProxy['hold']) {
  const { client } = world.chain
  const accounts = (await client.getAddresses()).map((one) => one.toLowerCase() as Address)
  const counts = { actions: 0, blocks: 0, reorganisations: 0, rereads: 0 }
  const deployer = accounts[0] as Address
  const names = [...new Set(Object.values(configured).map(({ family }) => family))]
  const addresses = new Map(
    names.map((name, nonce) => [name, getContractAddress({ from: deployer, nonce: BigInt(nonce) })]),
  )
  let nonces = new Map<Address, number>()
  const placeMulticall = () => client.setCode({ address: multicall, bytecode: multicall3.runtimeBytecode as Hex })
  const toCall = (from: Address, fields: { to?: Address; data: Hex }): Call => {
    const nonce = nonces.get(from) ?? 0
    nonces.set(from, nonce + 1)
    const transaction = {
      from,
      nonce: numberToHex(nonce),
      gas: numberToHex(2_000_000),
      gasPrice: numberToHex(2_000_000_000),
      ...fields,
    }
    return { method: 'eth_sendTransaction', params: [transaction] }
  }

  async function mine(calls: readonly Call[]): Promise<void> {
    await requestAll(world, calls)
    await hold(() => client.mine({ blocks: 1 }))
    counts.blocks++
  }

  function randomAction(): Call {
    const family = random.pick(names)
    const [from, other] = [random.pick(accounts), random.pick(accounts)]
    const [name, args] = random.pick(actions[family] ?? [])
    const abi = families.contracts[family].abi as Abi
    const values = name === 'move' ? [random.pick(accounts), other] : args(other, random)
    return toCall(from, {
      to: addresses.get(family) as Address,
      data: encodeFunctionData({ abi, functionName: name, args: values }),
    })
  }

  async function play(count: number): Promise<void> {
    counts.actions += count
    await mine(Array.from({ length: count }, randomAction))
  }

  await client.setAutomine(false)
  await placeMulticall()
  // So that a reorganisation leaves the contracts.
  await mine(names.map((name) => toCall(deployer, { data: families.contracts[name].bytecode as Hex })))
  await client.mine({ blocks: 50 })
  return {
    accounts,
    counts,
    addresses,
    communities: Object.entries(configured).map(
      ([id, { family, fields }]): CommunityInput => ({
        ...{ id, name: id, chainId: 56, address: addresses.get(family) as Address, startBlock: 1 },
        ...fields,
      }),
    ),
    play,
    async reorganise(depth: number): Promise<void> {
      counts.reorganisations++
      await hold(async () => {
        await client.request({ method: 'anvil_rollback', params: [depth] } as never)
        await client.request({ method: 'anvil_dropAllTransactions', params: [] } as never)
        // After a deep rollback, anvil loses code that was set.
        await placeMulticall()
      })
      const found = await requestAll<Hex>(
        world,
        accounts.map((account) => ({ method: 'eth_getTransactionCount', params: [account, 'latest'] })),
      )
      nonces = new Map(accounts.map((account, at) => [account, hexToNumber(found[at] as Hex)]))
      for (let block = 0; block <= depth; block++) await play(random.below(2) * random.below(12))
    },
  }
}

/** The view of each contract that says who the referrer is, or leads there. */
const views: Record<Family, string> = {
  ...{ TwoWay: 'inviter', FirstReceipt: 'inviter', SilentMove: 'parentOf', RefusedBind: 'invitor' },
  ...{ RewardLevels: 'getUserReferrer', StructView: 'users', Numbered: 'parentIdOf', PrivateSlot: '' },
  ...{ NoLog: 'getReferrer', Administered: 'referrers', Hostile: 'referrerOf' },
}

type Parents = Map<Family, (Address | null)[]>

/** Reads the referrers of all accounts from all contracts at a block. This does not use the code of the reader. */
async function readTruth(world: World, { accounts, addresses }: Game, block: number): Promise<Parents> {
  const at = { blockNumber: BigInt(block), multicallAddress: multicall, batchSize: 1_000_000 } as const
  const asked = [...addresses].filter(([family]) => views[family] !== '')
  const readAll = async (family: Family, functionName: string, values: readonly unknown[]) =>
    values.map((value) => ({
      address: addresses.get(family) as Address,
      abi: families.contracts[family].abi as Abi,
      functionName,
      args: [value],
    }))
  const calls = (await Promise.all(asked.map(([family]) => readAll(family, views[family], accounts)))).flat()
  const answers = await world.chain.client.multicall({ contracts: calls, ...at })
  const truth: Parents = new Map()
  for (const [index, [family]] of asked.entries()) {
    const own = answers.slice(index * accounts.length, (index + 1) * accounts.length).map(({ result }) => result)
    const parents = family === 'Numbered' ? await readUsers(own as (bigint | undefined)[]) : own
    truth.set(
      family,
      parents.map((answer, at) => toParent(Array.isArray(answer) ? answer[1] : answer, accounts[at] as Address)),
    )
  }
  const places = accounts.map((account) =>
    keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [account, 1n])),
  )
  const words = await requestAll<Hex>(
    world,
    places.map((place) => ({
      method: 'eth_getStorageAt',
      params: [addresses.get('PrivateSlot'), place, numberToHex(block)],
    })),
  )
  truth.set(
    'PrivateSlot',
    words.map((word, at) => toParent(slice(word, 12), accounts[at] as Address)),
  )
  return truth

  async function readUsers(ids: readonly (bigint | undefined)[]) {
    const contracts = await readAll(
      'Numbered',
      'userOf',
      ids.map((id) => id ?? 0n),
    )
    return (await world.chain.client.multicall({ contracts, ...at })).map(({ result }) => result)
  }
}

function toParent(answer: unknown, member: Address): Address | null {
  const parent = typeof answer === 'string' ? (answer.toLowerCase() as Address) : zeroAddress
  return parent === zeroAddress || parent === member ? null : parent
}

const familyOf = (community: string): Family => configured[community]?.family as Family

/** Returns the referrer of each account in the contract of a community. */
export const readParent = (parents: Parents, community: string, accounts: readonly Address[]) =>
  new Map(accounts.map((account, at) => [account, parents.get(familyOf(community))?.[at] ?? null]))

async function readBinds({ query }: Index): Promise<StoredBind[]> {
  return query<StoredBind>(
    `select source.community, '0x' || encode(member, 'hex') as member, '0x' || encode(other, 'hex') as other, event.block,
      log_index as "logIndex", time, coalesce(grade, 0) as grade
      from ${indexSchema}.event join ${indexSchema}.source on source.id = event.source
      where kind = 0 order by source.id, event.block, log_index`,
  )
}

/** Compares the stored referrer of each account with that of the contract at the newest block. */
async function compareReferrers(world: World, index: Index, game: Game): Promise<Difference[]> {
  const truth = await readTruth(world, game, await world.headNumber())
  const binds = await readBinds(index)
  return game.communities.flatMap(({ id, changes }): Difference[] => {
    const own = binds.filter(({ community }) => community === id)
    const ordered = changes === 'any' ? own : own.toReversed()
    const stored = new Map(ordered.map(({ member, other }) => [member, other]))
    return game.accounts.flatMap((member, at) => {
      const onChain = truth.get(familyOf(id))?.[at] ?? null
      const found = stored.get(member) ?? null
      return found === onChain ? [] : [{ community: id, member, stored: found, onChain }]
    })
  })
}

/** Compares the blocks of all exact binds with the answers of the contracts at each block of the chain. */
async function compareBlocks(world: World, game: Game, binds: readonly StoredBind[]) {
  const head = await world.headNumber()
  const changes = new Map<string, number[]>()
  let before = await readTruth(world, game, 1)
  for (let block = 2; block <= head; block++) {
    const truth = await readTruth(world, game, block)
    for (const [family, parents] of truth)
      for (const [at, parent] of parents.entries())
        if (parent !== before.get(family)?.[at]) {
          const key = `${family} ${game.accounts[at]} ${parent}`
          changes.set(key, [...(changes.get(key) ?? []), block])
        }
    before = truth
  }
  const exact = binds.filter(({ grade }) => grade === 0)
  const inexact = binds.length - exact.length
  const wrongBlocks = exact.filter(({ community, member, other, block }) => {
    const blocks = changes.get(`${familyOf(community)} ${member} ${other}`) ?? []
    // Events of deposits repeat the bind.
    return community === 'levels-event' ? !blocks.some((one) => one <= block) : !blocks.includes(block)
  })
  return { exact: exact.length, inexact, wrongBlocks }
}
