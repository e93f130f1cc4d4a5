import type { Address, ProblemCode } from '@lineage/referral-api'
import { readJson } from '@lineage/wallet-kit/siwe-server'
import type * as z from 'zod'
import { summarizeFault } from '../database/database.ts'
import type { AppContext, Handler } from '../http/handler.ts'
import { noAccounts, ProblemError } from '../lib/problem.ts'
import type { Services } from './services.ts'

/** A request of a signed-in account. */
export type AccountRequest = {
  account: Address
  c: AppContext
  /** Checks the session again, which may have ended while a body was read. */
  isSignedIn: () => Promise<boolean>
}
type AccountHandler = (accountRequest: AccountRequest) => Promise<Response>
export type ForAccount = ReturnType<typeof createForAccount>

/**
 * Creates functions that make a handler from one for the signed-in account of a request. The account comes only from
 * the session, so a request cannot reach the data of another account. Requests of other sites and of guests are
 * refused.
 */
export function createForAccount({ signIn }: Pick<Services, 'signIn'>) {
  const takeTurns = createTurns()

  async function handle(c: AppContext, handler: AccountHandler): Promise<Response> {
    const request = c.req.raw
    const refusal = signIn.refuseOtherSites(request)
    if (refusal) return refusal
    const findAccount = async () => (await signIn.getSession(request))?.address
    const account = await findAccount()
    if (!account) throw unauthenticated()
    return handler({ account, c, isSignedIn: async () => (await findAccount()) === account })
  }

  const read =
    (handler: AccountHandler): Handler =>
    async (c) => {
      const answer = await handle(c, handler).catch((error: unknown) => answerError(c.req.raw, error))
      const headers = new Headers(answer.headers)
      headers.set('cache-control', 'no-store, private')
      headers.append('vary', 'cookie')
      return new Response(answer.body, { status: answer.status, headers })
    }
  return {
    read,
    /** The changes of an account run one after the other, before their bodies are read. */
    change: (handler: AccountHandler): Handler =>
      read(async (accountRequest) => {
        const answer = takeTurns(accountRequest.account, () => handler(accountRequest))
        if (answer) return answer
        const detail = 'Earlier changes of this account are still in progress. Try again in 1 s.'
        throw new ProblemError('rate_limited', detail, { retryAfter: 1 })
      }),
  }
}

const unauthenticated = () =>
  new ProblemError('unauthenticated', 'You are not signed in. Sign in with a wallet to keep labels and alerts.')

function answerError(request: Request, error: unknown): Response {
  if (error instanceof ProblemError) return error.toResponse()
  if (request.signal.aborted) throw error
  console.error(`The account cannot be reached: ${summarizeFault(error)}.`)
  return noAccounts().toResponse()
}

export const done = () => new Response(null, { status: 204 })

type ReadBodyParameters<Schema> = {
  schema: Schema
  /** Code of the problem of a body that does not match the schema. */
  invalid: ProblemCode
  /** Largest number of bytes. */
  limit: number
  /** Checks the body before it is validated, which takes long for a large one. @throws {ProblemError} */
  check?: (json: unknown) => void
}

/** Returns the body of a request. @throws {ProblemError} also if the account signed out or was deleted meanwhile */
export async function readBody<Schema extends z.ZodType>(
  { c, isSignedIn }: AccountRequest,
  { schema, invalid, limit, check }: ReadBodyParameters<Schema>,
): Promise<z.output<Schema>> {
  const { code, detail, json } = await readJson(c.req.raw, limit)
  if (!(await isSignedIn())) throw unauthenticated()
  if (code !== 'ok') throw new ProblemError(code === 'malformed' ? invalid : code, detail)
  check?.(json)
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new ProblemError(invalid, `${issue?.path.join('.') || 'body'}: ${issue?.message}.`)
}

/** Largest number of waiting tasks for one key. */
export const queueLimit = 8

/**
 * Creates a function that runs the tasks of one key one after the other. It returns `undefined` without running the
 * task if too many wait.
 *
 * @example await takeTurns(account, () => save(label))
 */
export function createTurns() {
  const queues = new Map<string, { last: Promise<unknown>; length: number }>()

  return <Result>(key: string, work: () => Promise<Result>): Promise<Result> | undefined => {
    const queue = queues.get(key) ?? { last: Promise.resolve(), length: 0 }
    if (queue.length > queueLimit) return undefined
    queues.set(key, queue)
    queue.length++
    const result = queue.last.then(work).finally(() => {
      queue.length--
      if (queue.length === 0) queues.delete(key)
    })
    queue.last = result.catch(() => undefined)
    return result
  }
}
