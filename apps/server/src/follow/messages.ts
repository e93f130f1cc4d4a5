import type { Community } from '@lineage/communities'
import type { ProblemCode } from '@lineage/referral-api'
import type { LookupId } from '@lineage/referral-api/routes'
import type { ProblemError } from '../lib/problem.ts'
import type { FilePart } from '../lookups/fileStream.ts'
import type { WatchedEvents, WatchedRequest } from '../lookups/findWatchedEvents.ts'
import type { IndexChange, IndexStatus, LookupAnswer, LookupRequest, ServedState } from '../lookups/Index.ts'

export type WorkerParameters = {
  communities: readonly Community[]
  databaseUrl: string
  /** Age in seconds at which the newest block is too old; 0 for never. */
  maxAge: number
}

/** A question of the server to the worker. Each is answered by one `Reply` with the same number. */
export type Question =
  | { type: 'lookUp'; request: LookupRequest<LookupId>; visitor: string }
  | { type: 'findWatchedEvents'; community: string; request: WatchedRequest }
  /** Reads the next part of the CSV that answered question `of`. */
  | { type: 'readPart'; of: number }

export type ToWorker =
  | (Question & { number: number })
  /** Ends a question: its answer, or its CSV, is no longer needed. */
  | { type: 'cancel'; number: number }
  | { type: 'watchTeam'; community: string; address: string }
  | { type: 'forgetTeam'; community: string; address: string }

/** `csv`: its parts are read one by one. */
type WorkerAnswer = Omit<LookupAnswer, 'body'> & { body: Uint8Array<ArrayBuffer> | 'csv' }

export type Reply =
  | { type: 'lookUp'; answer: WorkerAnswer }
  | { type: 'findWatchedEvents'; events: WatchedEvents }
  /** `null` at the end of the CSV. */
  | { type: 'readPart'; part: FilePart | null }
  /** The lookup was cancelled; `work`: the milliseconds of processor time that it took. */
  | { type: 'stopped'; work: number }
  | { type: 'problem'; code: ProblemCode; detail: string; extra: ProblemError['extra'] }
  /** The CSV cannot be continued. */
  | { type: 'failure'; message: string }

export type FromWorker =
  | (Reply & { number: number })
  | { type: 'log'; message: string; level: 'info' | 'error' }
  | { type: 'change'; change: IndexChange }
  /** Sent with each change and every second. A community that is missing is not served. */
  | {
      type: 'state'
      status: IndexStatus
      communities: ReadonlyMap<string, ServedState>
      /** Why communities are withheld until their configuration is corrected. */
      refusals: ReadonlyMap<string, string>
    }
