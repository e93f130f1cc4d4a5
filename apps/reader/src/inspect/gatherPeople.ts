import { type Address, erc20Abi, type Hex, numberToHex, pad, toEventSelector, zeroAddress } from 'viem'
import type { Nodes } from '../nodes/createNodes.ts'
import { mapConcurrently } from '../nodes/mapConcurrently.ts'
import type { BlockRange } from '../nodes/rpc.ts'
import { addressArguments, addressesIn, type FoundEvent, matchEvents } from './matchEvents.ts'
import { toAddress } from './readCode.ts'
import { type SampleLimits, sampleLogs } from './sampleLogs.ts'

/** Addresses that took part, and which of them logs and transactions name together. */
export type People = {
  members: Address[]
  together: Map<Address, Set<Address>>
  /** Senders of transactions, by hash. */
  senders: Map<Hex, Address>
}

const transferTopic = toEventSelector(
  erc20Abi.find((item) => item.type === 'event' && item.name === 'Transfer') as never,
)

/** Largest number of members that the contract is asked about. */
const enough = 150
/** Number of transactions whose senders are read. */
const someTransactions = 60
/** A transaction with more addresses, such as an airdrop, does not show which of them belong together. */
const mostTogether = 16

type Parameters = {
  nodes: Pick<Nodes, 'request' | 'openHistory'>
  address: Address
  range: BlockRange
  limits: SampleLimits
}

/** Gathers the addresses that logs name, and the senders of their transactions. `given` come first. */
export async function gatherPeople(
  { nodes, address }: Pick<Parameters, 'nodes' | 'address'>,
  events: readonly FoundEvent[],
  given: readonly Address[],
  senders: Map<Hex, Address>,
): Promise<People> {
  const transactions = new Map<Hex, Set<Address>>()
  const counts = events.map((event) => {
    const named = new Set<Address>()
    for (const log of event.logs)
      for (const name of addressArguments(event))
        for (const one of addressesIn(log, event, name)) {
          named.add(one)
          const all = transactions.get(log.transactionHash) ?? new Set<Address>()
          transactions.set(log.transactionHash, all.add(one))
        }
    return [...named]
  })
  const unknown = [...transactions.keys(), ...events.flatMap(({ logs }) => logs.map((log) => log.transactionHash))]
  await readSenders(
    nodes,
    [...new Set(unknown)].filter((hash) => !senders.has(hash)),
    senders,
  )
  for (const [hash, sender] of senders) transactions.get(hash)?.add(sender)
  const excluded = new Set([zeroAddress, address.toLowerCase(), '0x000000000000000000000000000000000000dead'])
  const lists = [given.map((one) => one.toLowerCase() as Address), [...senders.values()], ...counts]
  const members = interleave(lists.map(spread)).filter((one) => !excluded.has(one))
  return {
    members: [...new Set(members)].slice(0, enough),
    together: joinTogether([...transactions.values()]),
    senders,
  }
}

function joinTogether(transactions: readonly ReadonlySet<Address>[]): People['together'] {
  const together: People['together'] = new Map()
  for (const all of transactions) {
    if (all.size > mostTogether) continue
    for (const one of all) together.set(one, new Set([...(together.get(one) ?? []), ...all]))
  }
  return together
}

/** Picks items at equal distances from a whole list, because those at its beginning are of one time. */
function spread<item>(list: readonly item[]): item[] {
  const step = Math.max(Math.floor(list.length / enough), 1)
  return list.filter((_, at) => at % step === 0)
}

const interleave = <item>(lists: readonly (readonly item[])[]): item[] =>
  Array.from({ length: Math.max(0, ...lists.map(({ length }) => length)) }, (_, at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  ).flat()

async function readSenders({ request }: Pick<Nodes, 'request'>, hashes: readonly Hex[], senders: Map<Hex, Address>) {
  const step = Math.max(Math.floor(hashes.length / someTransactions), 1)
  const some = hashes.filter((_, at) => at % step === 0).slice(0, someTransactions)
  await mapConcurrently(some, 4, async (hash) => {
    const found = await request({ method: 'eth_getTransactionByHash', params: [hash] }).catch(() => undefined)
    const from = (found as { from?: unknown } | null | undefined)?.from
    if (typeof from === 'string' && /^0x[0-9a-f]{40}$/i.test(from)) senders.set(hash, from.toLowerCase() as Address)
  })
}

/** Reads transfers of other tokens from members to the contract, and from it to members. */
export async function findPayments({
  nodes,
  address,
  range,
  limits,
}: Parameters): Promise<(FoundEvent & { where: Record<string, Address> })[]> {
  const place = pad(address.toLowerCase() as Hex)
  const found = []
  for (const [name, topics] of [
    ['to', [transferTopic, null, place]],
    ['from', [transferTopic, place]],
  ] as const) {
    const { logs } = await sampleLogs(nodes, { topics: [...topics] }, range, limits)
    const others = logs.filter((log) => log.address.toLowerCase() !== address.toLowerCase())
    found.push(...matchEvents(others, []).map((event) => ({ ...event, where: { [name]: address } })))
  }
  return found
}

/** Number of blocks whose transactions are looked through. */
const someBlocks = 60

/** Finds the senders of transactions to the contract in the newest blocks and after its start. */
export async function findCallers({ nodes, address, range }: Parameters): Promise<Map<Hex, Address>> {
  const { fromBlock, toBlock } = range
  const newest = Array.from({ length: someBlocks }, (_, at) => toBlock - at)
  const oldest = Array.from({ length: someBlocks }, (_, at) => fromBlock + at)
  const numbers = [...new Set([...newest, ...oldest])].filter((number) => number >= fromBlock && number <= toBlock)
  const senders = new Map<Hex, Address>()
  await mapConcurrently(numbers, 8, async (number) => {
    const receipts = await nodes
      .request({ method: 'eth_getBlockReceipts', params: [numberToHex(number)] })
      .catch(() => undefined)
    for (const receipt of Array.isArray(receipts) ? (receipts as (Record<string, unknown> | null)[]) : []) {
      const sender = toAddress(typeof receipt?.from === 'string' ? pad(receipt.from as Hex) : undefined)
      const isOwn = String(receipt?.to).toLowerCase() === address.toLowerCase()
      if (sender && isOwn && typeof receipt?.transactionHash === 'string')
        senders.set(receipt.transactionHash as Hex, sender)
    }
  })
  return senders
}
