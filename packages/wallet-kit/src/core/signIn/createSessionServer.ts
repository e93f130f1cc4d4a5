import type { Address, Hex } from 'viem'
import { AbortedError, WalletKitError } from '../lib/errors.ts'
import { abortable, withTimeout } from '../lib/promises.ts'
import { isAddress, readProperty } from '../lib/untrusted.ts'
import { requestTimeout } from '../provider/eip1193.ts'
import type { AuthenticationAdapter, Session } from '../state/authentication.ts'

/** A message to sign. */
export type PreparedMessage = { message: string; address: Address; preparedAt: number }

type Signed = Parameters<AuthenticationAdapter['verify']>[0]

/** Client of the server that keeps sessions. Every call has a time limit. */
export type SessionServer = ReturnType<typeof createSessionServer>

/** Creates the client of the session server from the app's adapter. */
export function createSessionServer(adapter: AuthenticationAdapter, destroyed: AbortSignal) {
  // Calls that change the session of the browser run one after the other, so that the last one wins.
  const enqueue = createQueue()
  const limit = <T>(promise: Promise<T>): Promise<T> =>
    withTimeout(promise, requestTimeout, () => new WalletKitError('The server did not answer in time.'), destroyed)
  const ask = <T>(call: () => T): Promise<Awaited<T>> => limit(callAsync(call))

  /** The call for the session that is last in the queue and has not begun: it answers everybody who asks until then. */
  let lastRestore: Promise<Session | undefined> | undefined
  const change = <T>(call: () => Promise<T>): Promise<T> => {
    lastRestore = undefined
    return enqueue(call)
  }
  const restore = async (): Promise<Session | undefined> => {
    try {
      const answer = await enqueue(async () => {
        lastRestore = undefined
        return adapter.getSession && ask(() => adapter.getSession?.())
      })
      return answer ? parseSession(answer) : undefined
    } catch {
      return undefined
    }
  }

  const signOut = () => change(async () => adapter.signOut && ask(() => adapter.signOut?.()))
  return {
    /** Fetches a nonce and creates the message to sign. */
    prepare: async (account: { address: Address; chainId: number }, signal: AbortSignal): Promise<PreparedMessage> => {
      const nonce = parseNonce(await untilAborted(ask(adapter.getNonce), signal))
      const answer = ask(() => adapter.createMessage({ nonce, ...account }))
      const message = parseMessage(await untilAborted(answer, signal))
      return { message, address: account.address, preparedAt: Date.now() }
    },
    /** Verifies a signature. Ends a session that arrives too late, unless another session replaces it. */
    verify: async (signed: Signed, signal: AbortSignal, isReplaced: () => boolean): Promise<Session> => {
      const verified = change(async () => {
        signal.throwIfAborted()
        const answer = callAsync(() => adapter.verify(signed))
        let isLate = false
        answer.then(
          () => (isLate || signal.aborted) && !isReplaced() && void signOut().catch(() => {}),
          () => {},
        )
        return limit(answer).finally(() => {
          isLate = true
        })
      })
      return parseSession(await untilAborted(verified, signal))
    },
    signOut,
    /** Returns the session of this browser, if there is one. Never rejects. */
    restore: (): Promise<Session | undefined> => {
      lastRestore ??= restore()
      return lastRestore
    },
  }
}

/** Creates a function that runs calls one after the other. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(call: () => Promise<T>): Promise<T> => {
    const result = last.then(call)
    last = result.catch(() => {})
    return result
  }
}

/** Rejects with an `AbortedError` as soon as `signal` fires. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    const answer = await abortable(promise, signal)
    if (!signal.aborted) return answer
  } catch (thrown) {
    if (!signal.aborted) throw thrown
  }
  throw new AbortedError('Sign-in was cancelled.')
}

/** Calls the adapter. Also rejects when it throws synchronously. */
async function callAsync<T>(call: () => T): Promise<Awaited<T>> {
  return await call()
}

const maxMessageLength = 10_000

/** Parses a session. @throws {WalletKitError} when it is invalid or has expired */
function parseSession(answer: unknown): Session {
  const [address, chainId, expiresAt] = ['address', 'chainId', 'expiresAt'].map((key) => readProperty(answer, key))
  if (
    !isAddress(address) ||
    !Number.isSafeInteger(chainId) ||
    typeof expiresAt !== 'number' ||
    !(expiresAt > Date.now())
  )
    throw new WalletKitError('The server returned no valid session.')
  return { address, chainId: chainId as number, expiresAt }
}

/** Parses the message to sign. @throws {WalletKitError} when it is empty or too long */
function parseMessage(answer: unknown): string {
  if (typeof answer !== 'string' || !answer.trim() || answer.length > maxMessageLength)
    throw new WalletKitError('The authentication adapter created no valid message.')
  return answer
}

/**
 * Parses a nonce.
 *
 * @throws {WalletKitError} when it has fewer than 8 characters or characters that are not alphanumeric
 * @see https://eips.ethereum.org/EIPS/eip-4361#abnf-message-format
 */
function parseNonce(answer: unknown): string {
  if (typeof answer !== 'string' || !/^[a-z0-9]{8,256}$/i.test(answer))
    throw new WalletKitError('The server returned no valid nonce.')
  return answer
}

/** Parses a signature of any length: contract wallets define their own. @throws {WalletKitError} */
export function parseSignature(answer: unknown): Hex {
  if (typeof answer !== 'string' || !/^0x([0-9a-f]{2})+$/i.test(answer))
    throw new WalletKitError('The wallet returned no valid signature.')
  return answer as Hex
}
