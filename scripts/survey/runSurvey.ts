import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ConfigInput } from '@lineage/communities'
import { indexSchema } from '@lineage/database'
import { type Address, type Hex, keccak256, numberToHex, toHex, zeroAddress } from 'viem'
import { inspectContract } from '../../apps/reader/src/inspect/inspectContract.ts'
import { createNodes } from '../../apps/reader/src/nodes/createNodes.ts'
import { type Index, startWorld, type World } from '../../apps/reader/test/world.ts'
import type { Family } from './families.ts'
import { accounts, createRequests, type Deployed, deploy, owner, play, type Requests } from './play.ts'

type Entry = ConfigInput['communities'][number]

/** What was found about one family. */
export type Outcome = {
  family: Family
  /** How its members are found: by logs, or by a file of addresses or the calldata of calls. */
  by: 'logs' | 'file' | undefined
  /** Members with a referrer in the contract, and those of them, and of all others, that the index shows otherwise. */
  members: number
  wrong: number
  reason: string
}

/** Milliseconds without progress after which what still differs counts as wrong. */
const patience = 60_000

/**
 * Plays the contracts of families on a chain, configures each as `inspect` says from its address and a node alone, reads
 * them with one reader, and compares every referrer with the contract at the newest block.
 */
export async function runSurvey(families: readonly Family[], log: (message: string) => void): Promise<Outcome[]> {
  const world = await startWorld([])
  try {
    const requests = createRequests(world.chain.url)
    const deployed = await deploy(requests, families)
    await play(requests, deployed, 'first')
    log(`${deployed.length} contracts were played.`)
    const entries = await inspectAll(world, deployed, log)
    const read = deployed.filter(({ number }) => entries.get(number)?.entry)
    await world.configure(read.map(({ number }) => entries.get(number)?.entry as Entry))
    const index = await world.createIndex()
    const reader = await index.start({ env: { LINEAGE_SWEEPS: '60' } })
    await waitUntilRead(world, index, read)
    log('The first scene is read.')
    await play(requests, deployed, 'second')
    await waitUntilRead(world, index, read)
    log('The second scene is read.')
    const differing = await waitUntilEqual({ requests, index, entries }, read)
    await world.endReaders('SIGTERM')
    log(
      reader
        .output()
        .split('\n')
        .filter((line) => /withheld|not served/i.test(line))
        .join('\n'),
    )
    return await Promise.all(
      deployed.map(async (family): Promise<Outcome> => {
        const { by, reason } = entries.get(family.number) as Found
        const stored = await readStored(requests, family, everyone)
        const members = stored.filter((referrer) => referrer !== null).length
        const wrong = differing.get(family.number) ?? 0
        return { family, by, members, wrong, reason }
      }),
    )
  } finally {
    await world.stop()
  }
}

const everyone = [owner, ...accounts]
const idOf = ({ number }: Pick<Family, 'number'>) => `family-${number}`

type Found = { entry: Entry | undefined; by: Outcome['by']; reason: string }

/** Configures each family as `inspect` says; those whose members no log names, with a file of addresses. */
async function inspectAll(
  { chain, folder }: World,
  deployed: readonly Deployed[],
  log: (message: string) => void,
): Promise<Map<string, Found>> {
  await writeFile(join(folder, 'members.csv'), everyone.join('\n'))
  const nodes = createNodes({ urls: [chain.url] })
  const found = new Map<string, Found>()
  for (const family of deployed) {
    const options = { address: family.contract, nodes }
    const first = await inspectContract(options)
    // Where the node names no member at all, an operator names some.
    const { community, doubts } = first.community ? first : await inspectContract({ ...options, members: everyone })
    const entry = community ? ({ ...community, id: idOf(family), name: idOf(family) } as Entry) : undefined
    const by = entry && (first.community && hasOnlyLogs(entry) ? 'logs' : 'file')
    found.set(family.number, { entry, by, reason: doubts.map(({ question }) => question).join(' ') })
    log(`${family.number}: ${JSON.stringify(community)}`)
  }
  return found
}

const hasOnlyLogs = ({ candidates = [] }: Entry) => candidates.every((one) => 'event' in one)

/** Waits until all families are read up to the newest block, as long as there is progress. */
async function waitUntilRead({ headNumber }: World, index: Index, families: readonly Deployed[]): Promise<void> {
  const head = await headNumber()
  let end = performance.now() + patience
  for (let before = -1; performance.now() < end; await delay(300)) {
    const sources = await index.sources()
    if (sources.filter(({ state, block }) => state === 'live' && block >= head).length >= families.length) return
    const progress = sources.reduce((sum, { block }) => sum + block, 0)
    if (progress > before) end = performance.now() + patience
    before = progress
  }
}

type Chain = { requests: Requests; index: Index; entries: ReadonlyMap<string, Found> }

/** Waits until all referrers are those of the contracts. Returns how many still differ, by family. */
async function waitUntilEqual(chain: Chain, families: readonly Deployed[]): Promise<Map<string, number>> {
  let end = performance.now() + patience
  let fewest = Number.POSITIVE_INFINITY
  for (;;) {
    // Sweeps follow new blocks.
    await chain.requests([{ method: 'evm_mine', params: [] }])
    const differing = new Map<string, number>()
    for (const family of families) differing.set(family.number, await countDiffering(chain, family))
    const count = [...differing.values()].reduce((sum, one) => sum + one, 0)
    if (count < fewest) end = performance.now() + patience
    fewest = Math.min(fewest, count)
    if (count === 0 || performance.now() > end) return differing
    await delay(1_000)
  }
}

async function countDiffering({ requests, index, entries }: Chain, family: Deployed): Promise<number> {
  const entry = entries.get(family.number)?.entry as Entry
  const roots = (entry.roots ?? []).map((root) => root.toLowerCase())
  const read = await readIndexed(index, entry)
  const stored = (await readStored(requests, family, everyone)).map((one) => (one && roots.includes(one) ? null : one))
  const known = everyone.filter((account, at) => (read.get(account) ?? null) !== stored[at])
  const invented = [...read].filter(([member, referrer]) => referrer && !everyone.includes(member))
  return known.length + invented.length
}

/** Reads the referrers that a server shows: a member's first bind counts, or its last if the configuration says so. */
async function readIndexed(
  index: Index,
  { id, rebind, changes, roots = [] }: Entry,
): Promise<Map<Address, Address | null>> {
  const order = rebind === 'last' || changes === 'any' ? 'desc' : 'asc'
  const rows = await index.query<{ member: Address; other: Address | null }>(
    `select distinct on (member) '0x' || encode(member, 'hex') as member, '0x' || encode(other, 'hex') as other
      from ${indexSchema}.event where source = (select max(id) from ${indexSchema}.source where community = $1)
      and kind = 0 and ($2 or other not in (member, '\\x${'0'.repeat(40)}'))
      order by member, block ${order}, log_index ${order}`,
    [id, order === 'desc'],
  )
  const none = [zeroAddress, ...roots.map((root) => root.toLowerCase())]
  return new Map(rows.map(({ member, other }) => [member, other && none.includes(other) ? null : other]))
}

/** Reads the referrers that the contracts store: by the view if there is one, otherwise from the storage. */
async function readStored(
  requests: Requests,
  { contract, kept }: Deployed,
  members: readonly Address[],
): Promise<(Address | null)[]> {
  const { form, name, before, input } = kept
  const words =
    form === 'id'
      ? await readById(requests, contract, members)
      : form === 'private'
        ? await readPlaces(
            requests,
            contract,
            members.map((member) => placeOf(member, 0n) + BigInt(before)),
          )
        : await readView(requests, contract, { name, input, position: before }, members)
  return words.map((word, index) => toReferrer(word, [members[index] as Address, contract]))
}

function toReferrer(word: Hex, none: readonly Address[]): Address | null {
  const address: Address = `0x${word.slice(-40)}`
  return BigInt(word) === 0n || none.some((one) => one.toLowerCase() === address) ? null : address
}

const pad = (value: Hex | bigint) => BigInt(value).toString(16).padStart(64, '0')
const placeOf = (key: Hex | bigint, slot: bigint) => BigInt(keccak256(`0x${pad(key)}${pad(slot)}`))

async function readPlaces(requests: Requests, contract: Address, places: readonly bigint[]): Promise<Hex[]> {
  const params = places.map((place) => [contract, numberToHex(place, { size: 32 }), 'latest'])
  return (await requests(params.map((one) => ({ method: 'eth_getStorageAt', params: one })))) as Hex[]
}

/** Follows the private storage from a member to its id, the referrer's id, and the referrer. */
async function readById(requests: Requests, contract: Address, members: readonly Address[]): Promise<Hex[]> {
  let keys: (Hex | bigint)[] = [...members]
  for (const slot of [0n, 2n, 1n])
    keys = await readPlaces(
      requests,
      contract,
      keys.map((key) => placeOf(key, slot)),
    )
  return keys as Hex[]
}

async function readView(
  requests: Requests,
  to: Address,
  { name, input, position }: { name: string; input: Family['kept']['input']; position: number },
  members: readonly Address[],
): Promise<Hex[]> {
  const further = input === 'level' ? 'uint8' : 'address'
  const selector = keccak256(toHex(`${name}(address${input ? `,${further}` : ''})`)).slice(0, 10)
  const rest = input ? pad(input === 'level' ? 1n : 0n) : ''
  const calls = members.map((member) => ({ to, data: `${selector}${pad(member)}${rest}` }))
  const results = await requests(calls.map((call) => ({ method: 'eth_call', params: [call, 'latest'] })))
  return (results as Hex[]).map((result): Hex => `0x${result.slice(2 + position * 64, 66 + position * 64)}`)
}
