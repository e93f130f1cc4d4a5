import { setTimeout as delay } from 'node:timers/promises'
import type { Member, Metrics } from '@lineage/referral-api'
import { atLeastHeader } from '@lineage/referral-api/routes'
import type { Miner } from './createMiner.ts'

export type WatchAnswersParameters = {
  servers: readonly { url: string }[]
  community: string
  miner: Miner
  signal: AbortSignal
}
export type Answers = { right: number; refused: number; wrong: string[]; lost: string[]; milliseconds: number[] }

const visitors = 6
/** Milliseconds between two lookups of a visitor, for one server to answer, and until a lookup is lost. */
const [pause, timeout, patience] = [100, 3_000, 10_000]

/**
 * Sends lookups as several visitors, each with the newest block that it has seen, first to a server at random; as
 * behind a proxy, another one is asked if it does not answer. Compares each answer with the oracle at its block.
 */
export function watchAnswers({ servers, community, miner, signal }: WatchAnswersParameters) {
  const answers: Answers = { right: 0, refused: 0, wrong: [], lost: [], milliseconds: [] }

  async function judge(block: number, findFault: () => string | undefined): Promise<void> {
    while (miner.knownBlock() < block && !signal.aborted) await delay(20)
    if (signal.aborted) return
    const fault = findFault()
    if (fault === undefined) answers.right++
    else answers.wrong.push(`at block ${block}: ${fault}`)
  }

  /** Asks the servers one after the other until one answers; `undefined` if none does in time. */
  async function ask(path: string, headers: Record<string, string>) {
    const startedAt = performance.now()
    for (let turn = Math.floor(Math.random() * servers.length); performance.now() - startedAt < patience; turn++) {
      const url = `${servers[turn % servers.length]?.url}/v1/communities/${community}${path}`
      const answer = await request(url, headers)
      if (signal.aborted) return undefined
      if (answer && ![429, 500, 502, 503].includes(answer.status)) {
        answers.milliseconds.push(performance.now() - startedAt)
        return answer
      }
      answers.refused++
      if (answer?.status === 500) answers.wrong.push(`${url}: 500 ${JSON.stringify(answer.body)}`)
      await delay(pause)
    }
    answers.lost.push(`${new Date().toISOString()} ${path}`)
    return undefined
  }

  async function visit(visitor: number): Promise<void> {
    let newest = 0
    for (let round = 0; !signal.aborted; round++) {
      await delay(pause)
      const isTotals = round % 10 === 0
      const address = miner.pickAddress()
      const answer = await ask(isTotals ? '/metrics' : `/members/${address}`, {
        'x-forwarded-for': `203.0.113.${visitor}`,
        ...(newest > 0 && !isTotals && { [atLeastHeader]: String(newest) }),
      })
      if (!answer) continue
      if (answer.status === 404) {
        const seen = newest
        const expected = () => miner.oracle.find(address, seen)
        await judge(seen, () => (expected() ? `${address} was not found: ${JSON.stringify(expected())}` : undefined))
      } else if (isTotals) {
        const { asOf, members } = answer.body as Metrics
        const expected = () => miner.oracle.countMembers(asOf.block)
        await judge(asOf.block, () => (members === expected() ? undefined : `${members} members, not ${expected()}`))
      } else {
        const { asOf, referrer, depth, directs, team } = answer.body as Member
        if (asOf.block < newest) answers.wrong.push(`block ${asOf.block} after ${newest}`)
        newest = Math.max(newest, asOf.block)
        const found = JSON.stringify({ referrer, depth, directs, team })
        const expected = () => JSON.stringify(miner.oracle.find(address, asOf.block))
        await judge(asOf.block, () => (found === expected() ? undefined : `${address}: ${found}, not ${expected()}`))
      }
    }
  }
  return { answers, ended: Promise.all(Array.from({ length: visitors }, (_, visitor) => visit(visitor))) }
}

/** Returns an answer; `undefined` without a whole one. */
async function request(url: string, headers: Record<string, string>) {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(timeout) })
    return { status: response.status, body: (await response.json()) as unknown }
  } catch {
    return undefined
  }
}
