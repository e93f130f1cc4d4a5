import { setTimeout as delay } from 'node:timers/promises'
import type { Member, Metrics } from '@lineage/referral-api'
import { atLeastHeader } from '@lineage/referral-api/routes'
import type { Address } from 'viem'
import { mapConcurrently } from '../../apps/reader/src/nodes/mapConcurrently.ts'
import type { Miner } from './createMiner.ts'
import { areBlocksSaid, type Lie } from './serverStatus.ts'

export type WatchAnswersParameters = {
  servers: readonly { url: string }[]
  community: string
  miner: Miner
  signal: AbortSignal
  /**
   * Faults of nodes so far. Answers may be wrong until a minute after their block is final, and then while it is said that
   * blocks of which a node lied are not confirmed. Without it, none may be wrong.
   */
  lies?: readonly Lie[] | undefined
}
export type Answers = {
  right: number
  refused: number
  wrong: string[]
  lost: string[]
  milliseconds: number[]
  /** Lookups whose answers are wrong for now, by their URLs. */
  healing: Map<string, Healing>
  /** Seconds until each wrong answer was right, and what a node did when it was first seen. */
  healed: { seconds: number; lie: Lie | undefined }[]
}

/** A lookup whose answer is wrong for now. Times are those of `performance.now()`: `saidAt` until when it was said. */
type Healing = {
  server: string
  question: Question
  fault: string
  lie: Lie | undefined
  seenAt: number
  saidAt: number
}

const visitors = 6
/** Number of wrong answers that are asked for again at once: one false row changes the answers about all members. */
const repeatsAtOnce = 4
/** Milliseconds between two lookups of a visitor, for one server to answer, and until a lookup is lost. */
const [pause, timeout, patience] = [100, 3_000, 10_000]
/** Milliseconds in which a wrong answer is healed: until its block is final, and a minute. */
const healingLimit = 90_000
/** Blocks after which a member that is not found is missing: servers lag, and nodes may have lied. */
const settled = 10

/** An address whose member is looked up; `undefined` for the totals of the community. */
type Question = Address | undefined
type Answer = { status: number; body: unknown }

/**
 * Sends lookups as several visitors, each with the newest block that it has seen, first to a server at random; as
 * behind a proxy, another one is asked if it does not answer. Compares each answer with the oracle at its block.
 */
export function watchAnswers({ servers, community, miner, signal, lies }: WatchAnswersParameters) {
  const answers: Answers = {
    right: 0,
    refused: 0,
    wrong: [],
    lost: [],
    milliseconds: [],
    healing: new Map(),
    healed: [],
  }
  const urlOf = (server: string, question: Question) =>
    `${server}/v1/communities/${community}${question ? `/members/${question}` : '/metrics'}`

  /** Waits until the oracle has the block of an answer, and returns what is wrong with it. */
  async function findFault(question: Question, answer: Answer, seen: number): Promise<string | undefined> {
    const block = answer.status === 404 ? seen : (answer.body as Member | Metrics).asOf.block
    while (miner.knownBlock() < block && !signal.aborted) await delay(20)
    if (signal.aborted) return undefined
    const fault = compare(miner.oracle, question, answer, block)
    return fault && `at block ${block}: ${fault}`
  }

  /** Asks the servers one after the other until one answers; `undefined` if none does in time. */
  async function ask(question: Question, headers: Record<string, string>) {
    const startedAt = performance.now()
    for (let turn = Math.floor(Math.random() * servers.length); performance.now() - startedAt < patience; turn++) {
      const server = String(servers[turn % servers.length]?.url)
      const answer = await request(urlOf(server, question), headers)
      if (signal.aborted) return undefined
      if (answer && ![429, 500, 502, 503].includes(answer.status)) {
        answers.milliseconds.push(performance.now() - startedAt)
        return { server, answer }
      }
      answers.refused++
      if (answer?.status === 500) answers.wrong.push(`${server}: 500 ${JSON.stringify(answer.body)}`)
      await delay(pause)
    }
    answers.lost.push(`${new Date().toISOString()} ${question ?? 'totals'}`)
    return undefined
  }

  /** Asks for wrong answers again until they are right, or were wrong for too long while their blocks were not said. */
  async function heal(told: readonly Lie[]): Promise<void> {
    while (!signal.aborted) {
      await delay(1_000)
      for (const { url } of servers) {
        const ofServer = [...answers.healing].filter(([, { server }]) => server === url)
        if (ofServer.length === 0) continue
        const block = miner.knownBlock() - settled
        const isSaid = await areBlocksSaid(url, told, block)
        await mapConcurrently(ofServer, repeatsAtOnce, async ([id, one]) => {
          if (isSaid) one.saidAt = performance.now()
          await repeat(id, one, block)
        })
      }
    }
  }

  async function repeat(id: string, { server, question, fault, lie, seenAt, saidAt }: Healing, block: number) {
    if (signal.aborted) return
    const answer = await request(urlOf(server, question), {})
    const isAnswered = answer !== undefined && [200, 404].includes(answer.status)
    const isRight = isAnswered && (await findFault(question, answer, block)) === undefined
    const now = performance.now()
    if (signal.aborted || (!isRight && now - saidAt < healingLimit)) return
    answers.healing.delete(id)
    if (isRight) answers.healed.push({ seconds: (now - seenAt) / 1_000, lie })
    else answers.wrong.push(`not healed, nor said, since ${lie?.name ?? 'the start'}: ${fault}`)
  }

  async function judge(server: string, question: Question, answer: Answer, seen: number): Promise<void> {
    const fault = await findFault(question, answer, seen)
    const id = urlOf(server, question)
    if (fault === undefined) answers.right++
    else if (!lies) answers.wrong.push(fault)
    else if (!answers.healing.has(id)) {
      const now = performance.now()
      answers.healing.set(id, { server, question, fault, lie: lies.at(-1), seenAt: now, saidAt: now })
    }
  }

  async function visit(visitor: number): Promise<void> {
    let newest = 0
    for (let round = 0; !signal.aborted; round++) {
      await delay(pause)
      const question = round % 10 === 0 ? undefined : round % 2 === 0 ? miner.pickNew() : miner.pickAddress()
      const found = await ask(question, {
        'x-forwarded-for': `203.0.113.${visitor}`,
        ...(newest > 0 && question && { [atLeastHeader]: String(newest) }),
      })
      if (!found) continue
      const { server, answer } = found
      if (question && answer.status === 200) {
        const { block } = (answer.body as Member).asOf
        if (block < newest) answers.wrong.push(`block ${block} after ${newest}`)
        newest = Math.max(newest, block)
      }
      await judge(server, question, answer, newest)
    }
  }
  const all = Array.from({ length: visitors }, (_, visitor) => visit(visitor))
  return { answers, ended: Promise.all(lies ? [...all, heal(lies)] : all) }
}

/** Returns how an answer differs from what the oracle knows at a block. */
function compare(oracle: Miner['oracle'], question: Question, { status, body }: Answer, block: number) {
  if (!question) {
    const { members } = body as Metrics
    const expected = oracle.countMembers(block)
    return members === expected ? undefined : `${members} members, not ${expected}`
  }
  const expected = JSON.stringify(oracle.find(question, block))
  if (status === 404) return expected ? `${question} was not found: ${expected}` : undefined
  const { referrer, joinedAt, depth, directs, team } = body as Member
  const found = JSON.stringify({ referrer, joinedAt, depth, directs, team })
  return found === expected ? undefined : `${question}: ${found}, not ${expected}`
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
