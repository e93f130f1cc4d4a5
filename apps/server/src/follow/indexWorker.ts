import { parentPort, workerData } from 'node:worker_threads'
import { checksumAddress } from '@lineage/communities'
import { describeError, openPool } from '@lineage/database'
import { createSnapshots, type Forest } from '@lineage/forest'
import type { ProblemError } from '../lib/problem.ts'
import { createLookups, toProblem } from '../lookups/answerLookup.ts'
import type { FilePart } from '../lookups/fileStream.ts'
import { type IndexChange, LookupStoppedError } from '../lookups/Index.ts'
import { toCard } from '../lookups/serialize.ts'
import { createFollower, type ViewChange } from './createFollower.ts'
import type { FromWorker, Question, Reply, ToWorker, WorkerParameters } from './createIndex.ts'
import { createStatus } from './createStatus.ts'

/** Milliseconds between two messages about the state. */
const interval = 1_000
/** Largest number of addresses in a change. */
const mostChanged = 100

const port = parentPort
if (!port) throw new Error('This module runs in a worker thread.')
const { communities, databaseUrl, maxAge } = workerData as WorkerParameters

const send = (message: FromWorker, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)
const log = (message: string, level: 'info' | 'error' = 'info') => send({ type: 'log', message, level })
const logFault = (message: string) => log(message, 'error')

const teams = createTeams()
const follower = createFollower({
  communities,
  databaseUrl,
  log,
  snapshots: createSnapshots(),
  onChange(change) {
    if (state.withheld(change.community) === undefined) send({ type: 'change', change: toChange(change, teams) })
    sendState()
  },
})
const state = createStatus({ follower, maxAge })
const pool = openPool({ url: databaseUrl })
const lookups = createLookups({ communities, follower, state, pool, log: logFault })

function sendState(): void {
  const served = communities.flatMap(({ id }) => {
    const view = state.withheld(id) === undefined ? follower.view(id) : undefined
    return view ? [[id, { asOf: view.asOf, members: view.forest.counts.members, name: view.index }] as const] : []
  })
  const refusals = communities.flatMap(({ id }) => {
    const refusal = state.refusal(id)
    return refusal ? [[id, refusal.message] as const] : []
  })
  send({ type: 'state', status: state.status(), communities: new Map(served), refusals: new Map(refusals) })
}
setInterval(sendState, interval)
// Only now: Node crashes if a thread is ended while its modules, some of which await, are evaluated.
setImmediate(sendState)

/** Questions that are being answered, and files that are being read, by number of their question: a file ends with its lookup. */
const cancels = new Map<number, AbortController>()
const streams = new Map<number, ReadableStreamDefaultReader<FilePart>>()

port.on('message', (message: ToWorker) => {
  if (message.type === 'cancel') cancel(message.number)
  else if (message.type === 'watchTeam') teams.watch(message, follower.view(message.community)?.forest)
  else if (message.type === 'forgetTeam') teams.forget(message)
  else void reply(message)
})

function cancel(number: number): void {
  cancels.get(number)?.abort()
  streams
    .get(number)
    ?.cancel()
    .catch(() => undefined)
  forgetStream(number)
}

function forgetStream(number: number): void {
  streams.delete(number)
  cancels.delete(number)
}

async function reply(question: Question & { number: number }): Promise<void> {
  const { number } = question
  const controller = new AbortController()
  cancels.set(number, controller)
  try {
    const { transfer = [], ...found } = await answer(question, controller.signal)
    send({ ...found, number }, transfer)
  } catch (error) {
    send({ ...toFailure(question, error), number })
  } finally {
    if (!streams.has(number)) cancels.delete(number)
  }
}

type Found = Reply & { transfer?: ArrayBuffer[] }

async function answer(question: Question & { number: number }, signal: AbortSignal): Promise<Found> {
  if (question.type === 'readPart') return readPart(question.of)
  if (question.type === 'findWatchedEvents')
    return { type: question.type, events: await lookups.findWatchedEvents(question.community, question.request) }
  const { body, ...rest } = await lookups.lookUp(question.request, { visitor: question.visitor, signal })
  if (body instanceof Uint8Array) return { type: 'lookUp', answer: { ...rest, body }, transfer: [body.buffer] }
  streams.set(question.number, body.getReader())
  return { type: 'lookUp', answer: { ...rest, body: 'csv' } }
}

async function readPart(of: number): Promise<Found> {
  const read = await streams.get(of)?.read()
  if (!read || read.done) forgetStream(of)
  if (!read) throw new Error('The CSV has ended.')
  if (read.done) return { type: 'readPart', part: null }
  const { bytes, work } = read.value
  const copy = new Uint8Array(bytes)
  return { type: 'readPart', part: { bytes: copy, work }, transfer: [copy.buffer] }
}

function toFailure(question: Question, error: unknown): Reply {
  if (question.type === 'readPart') {
    forgetStream(question.of)
    return { type: 'failure', message: describeError(error) }
  }
  if (error instanceof LookupStoppedError) return { type: 'stopped', work: error.work }
  const { code, message, extra }: ProblemError = toProblem(error, logFault)
  return { type: 'problem', code, detail: message, extra }
}

type Team = { community: string; address: string }
export type Teams = ReturnType<typeof createTeams>

/** Creates the set of watched teams, each with the card that its watchers know. */
export function createTeams() {
  const cards = new Map<string, Map<string, string>>()
  return {
    watch({ community, address }: Team, forest: Forest | undefined): void {
      const own = cards.get(community) ?? new Map<string, string>()
      cards.set(community, own.set(address, forest ? cardOf(forest, address) : ''))
    },
    forget: ({ community, address }: Team) => void cards.get(community)?.delete(address),
    /** Returns the addresses of a community whose card has changed since the last call. */
    takeChanged(community: string, forest: Forest): string[] {
      const own = cards.get(community)
      return [...(own ?? [])].flatMap(([address, known]) => {
        const card = cardOf(forest, address)
        own?.set(address, card)
        return card === known ? [] : [address]
      })
    },
  }
}

function cardOf(forest: Forest, address: string): string {
  const id = forest.find(address)
  return id === undefined ? '' : JSON.stringify(toCard(forest.member(id)))
}

/** Returns the change of a community for the server's streams and alerts. */
export function toChange({ community, view, kind, rows, gone, fork }: ViewChange, teams: Teams): IndexChange {
  const binds = [...gone, ...rows].filter(({ kind }) => kind === 'bind').reverse()
  const members = [...new Set(binds.map(({ member }) => member))]
  const events = kind === 'loaded' || rows.length > 0 || fork !== null ? 'some' : 'none'
  return {
    community,
    asOf: view.asOf,
    members: view.forest.counts.members,
    events,
    changed: members.slice(0, mostChanged).map(checksumAddress),
    count: members.length,
    fork,
    teams: events === 'some' ? teams.takeChanged(community, view.forest) : [],
  }
}
