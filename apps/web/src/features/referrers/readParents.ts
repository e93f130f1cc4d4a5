import type { Address } from '@lineage/referral-api'
import { addressPattern } from '@lineage/referral-api/address'
import { type Abi, type Client, isAddressEqual, parseAbi, zeroAddress } from 'viem'
import { multicall } from 'viem/actions'

/** The contract's referrer of a member compared with the index. `null`: the contract has none. */
export type Hop = { kind: 'agrees' } | { kind: 'differs'; referrer: Address | null } | { kind: 'unreadable' }

/** A member and its referrer according to the index. */
export type Link = { address: Address; referrer: Address }

type Parameters = {
  client: Client
  contract: Address
  /** Signature of the view function that returns a member's referrer. */
  view: string
  links: readonly Link[]
}

/** Calldata size of a hundred calls with one address, which nodes accept in one request. */
const batchSize = 36 * 100

// Shared objects: an upline may have a hundred thousand hops.
const agrees: Hop = { kind: 'agrees' }
const unreadable: Hop = { kind: 'unreadable' }

/** Reads each member's referrer from the contract by multicall. Never rejects: failed reads are `unreadable`. */
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

/** Parts of viem's transports: `fallback` reports which one answered, `http` has its URL. */
type Transport = {
  url?: string
  onResponse?: (
    listener: (answer: { status: 'success' | 'error'; transport: { value?: { url?: string } } }) => void,
  ) => void
}

/** Tracks whether public nodes answer, or this site's server (`/v1/rpc`). */
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

/** Returns the first address of a result: some view functions return a struct. */
function toAddress(answer: unknown): Address | undefined {
  const values = Array.isArray(answer)
    ? answer
    : typeof answer === 'object' && answer !== null
      ? Object.values(answer)
      : [answer]
  return values.find((value): value is Address => typeof value === 'string' && addressPattern.test(value))
}
