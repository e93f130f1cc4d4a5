import type { Address } from '@lineage/referral-api'
import { type Abi, type Client, isAddressEqual, parseAbi } from 'viem'
import { readContract } from 'viem/actions'

/** What the contract answered for one member, beside what the index says. */
export type Hop = { kind: 'agrees' } | { kind: 'differs'; referrer: Address } | { kind: 'unreadable' }

type Parameters = {
  /** Batches what is asked at once into multicalls. */
  client: Client
  contract: Address
  /** ABI text of the view that answers a member's referrer. */
  view: string
  /** A member, its referrer, and so on upwards. The last is not asked about. */
  line: readonly Address[]
}

/** Reads every hop of a line from the contract. Never rejects; what cannot be read is marked. */
export async function readParents({ client, contract, view, line }: Parameters): Promise<Map<Address, Hop>> {
  const hops = line.slice(0, -1).map((member, index) => [member, line[index + 1]] as const)
  const call = toCall(view)
  const answers = await Promise.all(
    hops.map(async ([member, expected]): Promise<[Address, Hop]> => {
      if (!call || !expected) return [member, { kind: 'unreadable' }]
      try {
        const answer = toAddress(await readContract(client, { ...call, address: contract, args: [member] }))
        if (answer === undefined) return [member, { kind: 'unreadable' }]
        return [member, isAddressEqual(answer, expected) ? { kind: 'agrees' } : { kind: 'differs', referrer: answer }]
      } catch {
        return [member, { kind: 'unreadable' }]
      }
    }),
  )
  return new Map(answers)
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
