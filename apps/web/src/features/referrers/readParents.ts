import type { Address } from '@lineage/referral-api'
import { type Abi, type Client, isAddressEqual, parseAbi, zeroAddress } from 'viem'
import { multicall } from 'viem/actions'

/** What the contract answered for one member, beside what the index says. `null`: it names nobody. */
export type Hop = { kind: 'agrees' } | { kind: 'differs'; referrer: Address | null } | { kind: 'unreadable' }

/** A member and who the index says referred it. */
type Link = { address: Address; referrer: Address }

type Parameters = {
  client: Client
  contract: Address
  /** ABI text of the view that answers a member's referrer. */
  view: string
  links: readonly Link[]
}

/** Bytes of a call with one address, a hundred times: what a node and a server in front of it take in one request. */
const batchSize = 36 * 100

// One object each: a line may have a hundred thousand.
const agrees: Hop = { kind: 'agrees' }
const unreadable: Hop = { kind: 'unreadable' }

/** Reads the referrer of each member from the contract by multicall. Never rejects; what cannot be read is marked. */
export async function readParents({ client, contract, view, links }: Parameters): Promise<[Address, Hop][]> {
  const call = toCall(view)
  const answers = call
    ? await multicall(client, {
        contracts: links.map(({ address }) => ({ ...call, address: contract, args: [address] })),
        batchSize,
      }).catch(() => [])
    : []
  return links.map(({ address, referrer }, at) => {
    const answer = toAddress(answers[at]?.result)
    if (answer === undefined) return [address, unreadable]
    if (isAddressEqual(answer, referrer)) return [address, agrees]
    return [address, { kind: 'differs', referrer: isAddressEqual(answer, zeroAddress) ? null : answer }]
  })
}

/** Of viem: a fallback tells which of its transports answered, a single one has its address. */
type Transport = {
  url?: string
  onResponse?: (
    listener: (answer: { status: 'success' | 'error'; transport: { value?: { url?: string } } }) => void,
  ) => void
}

/** Notes from now on whether it is the nodes themselves that answer, or this site's own server. */
export function watchNodes(client: Client, own: string): () => 'nodes' | 'server' {
  const transport = client.transport as Transport
  let answeredBy: 'nodes' | 'server' = transport.url === own ? 'server' : 'nodes'
  transport.onResponse?.(({ status, transport: { value } }) => {
    if (status === 'success' && value?.url === own) answeredBy = 'server'
  })
  return () => answeredBy
}

function toCall(view: string): { abi: Abi; functionName: string } | undefined {
  try {
    const abi = parseAbi([view] as readonly string[]) as Abi
    const item = abi.find((entry) => entry.type === 'function')
    return item && { abi, functionName: item.name }
  } catch {
    return undefined
  }
}

/** The first address of an answer: some views answer a struct. */
function toAddress(answer: unknown): Address | undefined {
  const values = Array.isArray(answer)
    ? answer
    : typeof answer === 'object' && answer !== null
      ? Object.values(answer)
      : [answer]
  return values.find((value): value is Address => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value))
}
