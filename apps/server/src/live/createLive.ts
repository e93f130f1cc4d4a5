import type { ServerResponse } from 'node:http'
import type { LiveBeat, LiveChange, LiveEvent } from '@lineage/referral-api/live'
import { createPlaces } from '../lib/places.ts'
import { ProblemError } from '../lib/problem.ts'
import { networksOf } from '../lib/visitor.ts'
import type { Index, IndexChange } from '../lookups/Index.ts'

/** Limits of the streams of a server. */
export const defaultLiveLimits = {
  streams: 10_000,
  perVisitor: 12,
  /** Bytes that may wait for a slow reader; above this the stream ends. */
  waiting: 256 * 1024,
}

export type LiveParameters = {
  index: Pick<Index, 'communities' | 'stateOf' | 'refusalOf' | 'subscribe' | 'watchTeam'>
  limits?: Partial<typeof defaultLiveLimits>
  /** Milliseconds between two signs of life; shorter than the time-outs of proxies and idle connections. */
  beat?: number
}

type OpenParameters = {
  community: string
  /** Address in lower case; `null` for the whole community. */
  team: string | null
  visitor: string
  outgoing: ServerResponse
  /** Calls a listener at new alerts of the reader's account. Returns a function that stops it. */
  subscribe?: ((listener: () => void) => () => void) | undefined
}

export type Live = ReturnType<typeof createLive>

/** Readers that get the same events: those of a community, or of a team in it. */
type Group = { readers: Set<ServerResponse>; stop: (() => void) | undefined }

/**
 * Creates the streams of all communities. Each event is formatted once for all its readers. Nothing is kept for readers
 * that come back: the first event names the newest block, and older answers are asked for again.
 */
export function createLive({ index, limits, beat = 10_000 }: LiveParameters) {
  const { waiting, ...counts } = { ...defaultLiveLimits, ...limits }
  const streamLimit = createStreamLimit(counts)
  /** By community, and then by team. */
  const groups = new Map<string, Map<string | null, Group>>()

  const unsubscribe = index.subscribe((change) => {
    const teams = groups.get(change.community)
    if (!teams || change.events === 'none') return
    const bytes = Buffer.from(changeText(change))
    for (const team of [null, ...change.teams])
      for (const reader of teams.get(team)?.readers ?? []) write(reader, bytes, waiting)
  })
  const timer = setInterval(() => {
    for (const [community, teams] of groups) sendBeat(community, teams)
  }, beat).unref()

  /** Sends a sign of life, or ends the streams of a community that is no longer served. */
  function sendBeat(community: string, teams: ReadonlyMap<string | null, Group>): void {
    const state = index.stateOf(community)
    const bytes = Buffer.from(state ? beatText({ asOf: state.asOf }) : '')
    for (const { readers } of teams.values())
      for (const reader of readers) state ? write(reader, bytes, waiting) : void reader.end()
  }

  function join(community: string, team: string | null, reader: ServerResponse): () => void {
    const teams = groups.get(community) ?? new Map<string | null, Group>()
    groups.set(community, teams)
    const group = teams.get(team) ?? {
      readers: new Set(),
      stop: team === null ? undefined : index.watchTeam(community, team),
    }
    teams.set(team, group)
    group.readers.add(reader)
    return () => {
      group.readers.delete(reader)
      if (group.readers.size > 0) return
      group.stop?.()
      teams.delete(team)
      if (teams.size === 0) groups.delete(community)
    }
  }

  return {
    /** Begins a stream. @throws {ProblemError} if the community is not served, or no place is free */
    open({ community, team, visitor, outgoing, subscribe }: OpenParameters): void {
      if (!index.communities.includes(community))
        throw new ProblemError('community_not_found', 'There is no community with this id.')
      const refusal = index.refusalOf(community)
      if (refusal) throw new ProblemError('withheld', refusal)
      const state = index.stateOf(community)
      if (!state) throw new ProblemError('indexing', 'The index is not ready. Try again later.', { retryAfter: 5 })
      const leavePlace = streamLimit.take(visitor, outgoing)
      outgoing.writeHead(200, streamHeaders)
      // Random, so that not all readers reconnect at once when a server restarts.
      const retry = `retry: ${Math.round(1_000 + Math.random() * 4_000)}\n\n`
      outgoing.write(`${retry}${changeText({ ...state, changed: [], count: 0, fork: null })}`)
      const leaveGroup = join(community, team, outgoing)
      const unsubscribeAlerts = subscribe?.(() => write(outgoing, alertsText, waiting))
      const leave = () => {
        leaveGroup()
        leavePlace()
        unsubscribeAlerts?.()
      }
      if (outgoing.closed) leave()
      else outgoing.once('close', leave)
    },
    get size() {
      return streamLimit.size
    },
    /** Ends all streams, so that the server can stop. */
    close(): void {
      clearInterval(timer)
      unsubscribe()
      streamLimit.endAll()
    },
  }
}

/**
 * Creates the limit of open streams: a number of places, of which each visitor can take a few. When all are taken, the
 * newest stream of the network with the most ends for a visitor of another one.
 */
function createStreamLimit({ streams, perVisitor }: Pick<typeof defaultLiveLimits, 'streams' | 'perVisitor'>) {
  const places = createPlaces<ServerResponse>()
  const open = new Map<ServerResponse, () => void>()

  function makeRoom(networks: readonly string[]): void {
    if (open.size < streams) return
    const loser = places.findLoser(networks)
    if (!loser)
      throw new ProblemError('unavailable', 'The server has reached its limit of streams. Try again in 30 s.', {
        retryAfter: 30,
      })
    leave(loser)
    // A reader that does not read would never let it end.
    loser.destroy()
  }

  function leave(outgoing: ServerResponse): void {
    open.get(outgoing)?.()
    open.delete(outgoing)
  }

  return {
    /** Takes a place for a stream. Returns a function that frees it. @throws {ProblemError} if there is none */
    take(visitor: string, outgoing: ServerResponse): () => void {
      const networks = networksOf(visitor)
      if (places.count(networks) >= perVisitor)
        throw new ProblemError(
          'rate_limited',
          `You have reached the limit of ${perVisitor} streams. Close one, or try again in 30 s.`,
          { retryAfter: 30 },
        )
      makeRoom(networks)
      open.set(outgoing, places.take(networks, outgoing))
      return () => leave(outgoing)
    },
    get size() {
      return open.size
    },
    endAll(): void {
      for (const outgoing of open.keys()) outgoing.end()
    },
  }
}

/** Writes to a reader, or disconnects it if too many bytes wait. */
function write(reader: ServerResponse, bytes: Buffer | string, waiting: number): void {
  if (reader.destroyed || reader.writableEnded) return
  if (reader.writableLength > waiting) reader.destroy()
  else reader.write(bytes)
}

const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  // Tells nginx not to buffer the stream.
  'x-accel-buffering': 'no',
  'cross-origin-resource-policy': 'same-origin',
}

const toText = (event: LiveEvent, data: object, id?: number): string =>
  `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`

function changeText({ asOf, members, changed, count, fork }: Omit<IndexChange, 'community' | 'events' | 'teams'>) {
  return toText('change', { asOf, members, changed: [...changed], count, fork } satisfies LiveChange, asOf.block)
}

/** Formats a sign of life: a comment, and an event for readers that do not see comments. */
const beatText = (beat: LiveBeat): string => `:\n${toText('beat', beat, beat.asOf.block)}`

/** Has no id, because it belongs to no block. */
const alertsText = toText('alerts', {})
