import { setTimeout as delay } from 'node:timers/promises'
import type { Member, Metrics } from '@lineage/referral-api'
import type { Address } from 'viem'
import type { createOracle } from './createOracle.ts'

export type AnswerCounts = { right: number; refused: number; silent: number; wrong: string[] }

export type WatchAnswersParameters = {
  url: string
  oracle: ReturnType<typeof createOracle>
  pickAddress: () => Address
  /** Newest block whose binds the oracle has. */
  knownBlock: () => number
  signal: AbortSignal
}

/** Number of blocks that an index may lose when it is killed: those that were not final. */
const unfinished = 60

/** Requests members and totals continuously, and compares each answer with the oracle at its block. */
export async function watchAnswers({ url, oracle, pickAddress, knownBlock, signal }: WatchAnswersParameters) {
  const counts: AnswerCounts = { right: 0, refused: 0, silent: 0, wrong: [] }
  let newest = 0
  const community = `${url}/v1/communities/soak`

  async function judge(block: number, differs: () => string | undefined): Promise<void> {
    while (knownBlock() < block && !signal.aborted) await delay(20)
    if (signal.aborted) return
    newest = Math.max(newest, block)
    const difference = differs()
    if (difference === undefined) counts.right++
    else counts.wrong.push(`at block ${block}: ${difference}`)
  }

  async function ask(path: string): Promise<Response | undefined> {
    const timeout = AbortSignal.timeout(12_000)
    const response = await fetch(`${community}${path}`, { signal: timeout }).catch(() => undefined)
    if (!response) counts.silent++
    else if (response.status === 503 || response.status === 429) counts.refused++
    return response
  }

  async function checkMember(address: Address): Promise<void> {
    const response = await ask(`/members/${address}`)
    if (response?.status === 200) {
      const { asOf, referrer, depth, directs, team } = (await response.json()) as Member
      const found = { referrer, depth, directs, team }
      const expected = () => oracle.find(address, asOf.block)
      const differs = () =>
        isSame(found, expected()) ? undefined : `${address}: ${JSON.stringify([found, expected()])}`
      return judge(asOf.block, differs)
    }
    if (response?.status !== 404) return
    const block = Math.max(0, newest - unfinished)
    return judge(block, () => (oracle.find(address, block) ? `${address} was not found` : undefined))
  }

  async function checkTotals(): Promise<void> {
    const response = await ask('/metrics')
    if (response?.status !== 200) return
    const { asOf, members } = (await response.json()) as Metrics
    const expected = () => oracle.countMembers(asOf.block)
    return judge(asOf.block, () => (members === expected() ? undefined : `${members} members, not ${expected()}`))
  }

  const watching = (async () => {
    for (let round = 0; !signal.aborted; round++) {
      // An answer that breaks off counts as silence.
      await (round % 10 === 0 ? checkTotals() : checkMember(pickAddress())).catch(() => counts.silent++)
      await delay(100)
    }
  })()
  return { counts, ended: watching }
}

const isSame = (one: object, other: object | undefined): boolean => JSON.stringify(one) === JSON.stringify(other)
