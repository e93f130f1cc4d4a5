import { setTimeout } from 'node:timers/promises'
import { type Address, getAddress, type Hash, type Hex, numberToHex } from 'viem'
import { createRandom } from '../lib/createRandom.ts'
import type { Interesting } from './community.ts'
import { encodeRecord } from './contract.ts'
import { demoAccounts, ownerAddress } from './demoAccounts.ts'
import { createRpc } from './rpc.ts'

/**
 * Parameters of `startNewMembers`.
 *
 * @example `const stop = startNewMembers({ rpcUrl, contract, interesting, seed: Date.now() })`
 */
export type StartNewMembersParameters = {
  rpcUrl: string
  contract: Address
  interesting: Interesting
  /** Seed of the new addresses. It must differ at each start, because an address can join only once. */
  seed: number
  /** Seconds between two members. Default 20. */
  everySeconds?: number
  /** Largest number of members that join, for a demo that runs for days. Default 300, about two hours. */
  limit?: number
}

/** Adds a member every few seconds, so that an open page changes. Returns a function that stops it. */
export function startNewMembers(parameters: StartNewMembersParameters): () => void {
  const { rpcUrl, contract, interesting, seed, everySeconds = 20, limit = 300 } = parameters
  const stopping = new AbortController()
  const rpc = createRpc(rpcUrl, stopping.signal)
  const random = createRandom(seed)
  const referrers = [
    ...demoAccounts.slice(0, 2).map(({ address }) => address),
    interesting.star,
    interesting.largestTeam,
  ]

  async function join(): Promise<Hash> {
    const member = getAddress(`0x${random.hex(40)}`)
    const newest = referrers.at(-1) as Address
    const referrer = random.next() < 0.5 ? newest : random.pick(referrers)
    referrers.push(member)
    const amount = BigInt(50 + random.below(2_000)) * 10n ** 18n
    const data: Hex = encodeRecord([
      { kind: 'bound', member, referrer },
      { kind: 'volume', member, amount },
    ])
    const transaction = { from: ownerAddress, to: contract, data, gas: numberToHex(500_000) }
    return (await rpc('eth_sendTransaction', [transaction])) as Hash
  }

  /** Adds members one after the other, because two transactions at once would get the same nonce. */
  async function run(): Promise<void> {
    for (let joined = 0; joined < limit; joined += 1) {
      await setTimeout(everySeconds * 1000, undefined, { signal: stopping.signal, ref: false })
      await join()
    }
  }

  // Fails when it is stopped or when the chain ends with the product. Both are expected.
  run().catch(() => {})
  return () => stopping.abort()
}
