import type { Address } from '@lineage/referral-api'
import { type Abi, type Client, isAddressEqual, parseAbi, zeroAddress } from 'viem'
import { readContract } from 'viem/actions'

/** What the contract answered for one member, beside what the index says. `null`: it names nobody. */
export type Hop = { kind: 'agrees' } | { kind: 'differs'; referrer: Address | null } | { kind: 'unreadable' }

/** A member and who the index says referred it. */
type Link = { address: Address; referrer: Address }

type Parameters = {
  /** Batches what is asked at once into multicalls. */
  client: Client
  contract: Address
  /** ABI text of the view that answers a member's referrer. */
  view: string
  links: readonly Link[]
}

/** Reads the referrer of each member from the contract. Never rejects; what cannot be read is marked. */
export async function readParents({ client, contract, view, links }: Parameters): Promise<[Address, Hop][]> {
  const call = toCall(view)
  return Promise.all(
    links.map(async ({ address, referrer }): Promise<[Address, Hop]> => {
      if (!call) return [address, { kind: 'unreadable' }]
      try {
        const answer = toAddress(await readContract(client, { ...call, address: contract, args: [address] }))
        if (answer === undefined) return [address, { kind: 'unreadable' }]
        if (isAddressEqual(answer, referrer)) return [address, { kind: 'agrees' }]
        return [address, { kind: 'differs', referrer: isAddressEqual(answer, zeroAddress) ? null : answer }]
      } catch {
        return [address, { kind: 'unreadable' }]
      }
    }),
  )
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
