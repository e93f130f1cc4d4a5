import type { Address, AsOf, BodyOf, ParsedQueryOf, Status } from '@lineage/referral-api'
import type { LookupId } from '@lineage/referral-api/routes'
import type { FilePart } from './fileStream.ts'
import type { WatchedEvents, WatchedRequest } from './findWatchedEvents.ts'

/** A lookup with its parameters, as `parseLookup` returns it. */
export type LookupRequest<id extends LookupId = LookupId> = {
  id: id
  /** Community and address of the path, where the operation has them; the address in lower case. */
  path: { community?: string; address?: Address }
  query: ParsedQueryOf<id>
  body: BodyOf<id>
  /** Block that the client has seen; 0 for none. The answer is never older. */
  atLeast: number
}

/** The visitor of a lookup, by whom large answers take turns, and the signal that stops it. Default: the server itself, never stopped. */
type LookupAsker = { visitor?: string; signal?: AbortSignal | undefined }

/** Error of a lookup whose visitor has left: `work` is the milliseconds of processor time that it took. */
export class LookupStoppedError extends Error {
  override readonly name = 'LookupStoppedError'
  readonly work: number

  constructor(work: number) {
    super('The visitor has left.')
    this.work = work
  }
}

export type LookupAnswer<Part = FilePart> = {
  /** The moment of the answer. */
  asOf: AsOf
  /** JSON as UTF-8, or a CSV. */
  body: Uint8Array<ArrayBuffer> | ReadableStream<Part>
  /** Content type, and the name of a file. */
  headers: Record<string, string>
  /** Version of the state that the body was made from, for entity tags: the same on every server. */
  version: string
  /** `final`: it can no longer change. `present`: valid for its block. `none`: it is incomplete, or of a POST. */
  caching: 'final' | 'present' | 'none'
  /** Milliseconds of processor time that it took, for the visitor's limit. */
  work: number
}

/** Newest state of a community that is served. */
export type ServedState = {
  asOf: AsOf
  members: number
  /** Name of its rows: the same on every server, and another one for tables that are made again. */
  name: string
}

export type IndexChange = {
  community: string
  asOf: AsOf
  /** Number of members after the change. */
  members: number
  /** `none`: only the newest block has changed. */
  events: 'some' | 'none'
  /** Members whose binds came or were replaced, the newest first, at most 100 of them. */
  changed: readonly Address[]
  /** Number of those members in all. */
  count: number
  /** First block that a reorganisation replaced; `null` for none. */
  fork: number | null
  /** Addresses of `watchTeam` whose card has changed, in lower case. */
  teams: readonly string[]
}

/** Status of the index without the faults that the server itself finds. */
export type IndexStatus = Status

/** The forests of a server, which follow the tables in a thread of their own. */
export type Index = {
  /** Ids of the communities of the configuration that this server holds. */
  communities: readonly string[]
  /**
   * Answers a lookup. After `signal` it ends within a slice. @throws {ProblemError} @throws {LookupStoppedError} after `signal`
   */
  lookUp: (request: LookupRequest<LookupId>, asker?: LookupAsker) => Promise<LookupAnswer>
  /** Finds events that involve watched addresses. @throws {ProblemError} */
  findWatchedEvents: (community: string, request: WatchedRequest) => Promise<WatchedEvents>
  /** Returns the newest known status. */
  status: () => IndexStatus
  /** Returns the newest state of a community; `undefined` while it is not served. */
  stateOf: (community: string) => ServedState | undefined
  /** Returns why a community is withheld until its configuration is corrected; `undefined` if it is not. */
  refusalOf: (community: string) => string | undefined
  /** Calls a listener after each change of a community, also when only its newest block changed. Returns a function that stops it. */
  subscribe: (listener: (change: IndexChange) => void) => () => void
  /** Includes a team in the `teams` of changes. Returns a function that stops it. */
  watchTeam: (community: string, address: string) => () => void
  close: () => Promise<void>
}
