import { setTimeout as delay } from 'node:timers/promises'
import { type Address, getAddress, numberToHex } from 'viem'
import type { Chain } from '../../apps/reader/test/chain.ts'
import { createOracle } from './createOracle.ts'

export type Miner = ReturnType<typeof createMiner>

/** The address whose new direct referrals are alerts. */
export const watched = addressOf(1)
const membersAtFirst = 400
/** Number of the last members that count as new. */
const newest = 90

export function addressOf(index: number): Address {
  return getAddress(numberToHex(index + 0xabc000, { size: 20 }))
}

/** Creates a miner, which binds addresses at random, one block a second, and tells the oracle. */
export function createMiner(chain: Pick<Chain, 'bind' | 'client'>) {
  const oracle = createOracle()
  let known = 0
  let bound = 1_000

  async function bind(pairs: [member: Address, referrer: Address][]): Promise<void> {
    await chain.bind(...pairs)
    const mined = await chain.client.getBlock()
    const [block, time] = [Number(mined.number), Number(mined.timestamp)]
    oracle.add(...pairs.map(([member, referrer]) => ({ block, time, member, referrer })))
    known = block
  }
  const pickAddress = () => addressOf(Math.floor(Math.random() * 1.2 * membersAtFirst))
  const pickNew = () => addressOf(bound - 1 - Math.floor(Math.random() * newest))

  return {
    oracle,
    pickAddress,
    /** Returns one of the newest members, or an address that was never bound. */
    pickNew,
    /** Newest block whose binds the oracle has. */
    knownBlock: () => known,
    /** Binds most addresses in final blocks some minutes in the past. */
    async fill(): Promise<void> {
      for (let from = 1; from < membersAtFirst; from += 40)
        await bind(
          Array.from({ length: 40 }, (_, index) => [
            addressOf(from + index),
            addressOf(Math.floor((from + index) / 3)),
          ]),
        )
      await chain.client.mine({ blocks: 60 })
      known = Number(await chain.client.getBlockNumber({ cacheTime: 0 }))
    },
    /**
     * Binds until the signal. Each block has a new member, and sometimes a second bind of it, which does not count. One
     * bind in five blocks is a new direct referral of the watched address.
     */
    async run(signal: AbortSignal): Promise<void> {
      let timestamp = 0
      for (let round = 0; !signal.aborted; round++) {
        timestamp = Math.max(timestamp + 1, Math.floor(Date.now() / 1_000))
        await chain.client.setNextBlockTimestamp({ timestamp: BigInt(timestamp) })
        const pairs = Array.from({ length: 1 + Math.floor(Math.random() * 3) }, () => [pickAddress(), pickAddress()])
        const added = addressOf(bound++)
        pairs.push([added, round % 5 === 0 ? watched : pickAddress()], [added, pickAddress()])
        await bind(pairs as [Address, Address][])
        await delay(1_000)
      }
    },
  }
}
