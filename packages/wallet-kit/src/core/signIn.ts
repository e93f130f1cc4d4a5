import { type Address, stringToHex } from 'viem'
import { abortable } from './abortable.ts'
import type { AuthenticationConfig, Session, SignIn } from './authentication.ts'
import { getConnection, type KitContext, settleDialog } from './context.ts'
import {
  AbortedError,
  ChainError,
  SignInError,
  type SignInStage,
  toWalletKitError,
  WalletKitError,
  WalletNotAvailableError,
} from './errors.ts'
import { parseNonce, parseSession, parseSignature, parseText } from './parseSession.ts'
import { request, requestTimeout } from './request.ts'
import { describeSession } from './session.ts'
import { reduceSignIn, type SignInEvent, type SignInStep } from './signInSteps.ts'
import { within } from './within.ts'

/** A message that has not been signed. Servers keep a nonce for ten minutes, in which it also has to arrive. */
type Prepared = { message: string; address: Address; madeAt: number }
const preparedLifetime = 9 * 60_000

/** Timers take no longer delay. */
const longestDelay = 2 ** 31 - 1

/** Signing in with the connected wallet. Each try has an identity: what an abandoned one answers changes nothing. */
export function createSignIn(context: KitContext, { adapter }: AuthenticationConfig): SignIn {
  const { store, signal: destroyed } = context
  let step: SignInStep = { name: 'preparing' }
  let current = new AbortController()
  let prepared: Prepared | undefined
  let preparing: Promise<Prepared> | undefined
  let signing: Promise<Session> | undefined
  /** What changes the browser's session at the server happens one after the other: the last one is the one that holds. */
  let atServer: Promise<unknown> = Promise.resolve()
  let renewal: ReturnType<typeof setTimeout> | undefined
  let expiry: ReturnType<typeof setTimeout> | undefined

  const limit = <T>(promise: Promise<T>): Promise<T> =>
    within(promise, requestTimeout, () => new WalletKitError('The server did not answer in time.'), destroyed)
  const ask = <T>(act: () => T): Promise<Awaited<T>> => limit(call(act))

  const isShown = () => store.getState().dialog.name === 'signIn'
  const move = (event: SignInEvent) => {
    step = reduceSignIn(step, event)
    if (isShown()) store.setState({ dialog: { name: 'signIn', step } })
  }

  /** From here on nothing that is under way counts. */
  const abandon = () => {
    clearTimeout(renewal)
    current.abort()
    current = new AbortController()
    prepared = undefined
    preparing = undefined
    signing = undefined
  }

  const queue = <T>(act: () => Promise<T>): Promise<T> => {
    const result = atServer.then(act)
    atServer = result.catch(() => {})
    return result
  }
  const tellServer = () => queue(async () => adapter.signOut && ask(() => adapter.signOut?.()))

  const fail = (stage: SignInStage, cause: unknown): SignInError => {
    const error = new SignInError(stage, cause)
    abandon()
    move({ type: 'failed', error })
    return error
  }

  const getAccount = () => {
    const connection = getConnection(context)
    if (!connection || !context.live) throw new WalletNotAvailableError('Connect a wallet first.')
    if (!store.getState().isSupportedChain)
      throw new ChainError('Wrong network detected, switch or disconnect to continue.')
    return { ...connection, provider: context.live.provider }
  }

  const prepareAnew = async (): Promise<Prepared> => {
    const { address, chainId } = getAccount()
    const { signal } = current
    move({ type: 'prepare' })
    try {
      const nonce = parseNonce(await untilAbandoned(ask(adapter.getNonce), signal))
      const answer = ask(() => adapter.createMessage({ nonce, address, chainId }))
      const message = parseText(await untilAbandoned(answer, signal))
      prepared = { message, address, madeAt: Date.now() }
      renewal = setTimeout(renew, preparedLifetime)
      move({ type: 'prepared' })
      return prepared
    } catch (thrown) {
      throw signal.aborted ? thrown : fail('preparing', thrown)
    }
  }
  const prepare = (): Promise<Prepared> => {
    preparing ??= track(prepareAnew(), (tracked) => {
      if (preparing === tracked) preparing = undefined
    })
    return preparing
  }
  /** For the dialog, which shows what comes of it. */
  const start = () => {
    if (store.getState().isSupportedChain) void prepare().catch(() => {})
    else move({ type: 'leaveNetwork' })
  }

  const renew = () => {
    if (signing) return
    abandon()
    if (isShown()) start()
  }

  const signAnew = async (): Promise<Session> => {
    const { provider } = getAccount()
    if (prepared && Date.now() - prepared.madeAt >= preparedLifetime) renew()
    // What is prepared is signed in the same breath: phones open another app only within the tap.
    const { message, address } = prepared ?? (await prepare())
    const { signal } = current
    move({ type: 'sign' })
    try {
      const params = [stringToHex(message), address]
      const answer = request(provider, { method: 'personal_sign', params })
      const signature = parseSignature(await untilAbandoned(answer, signal))
      move({ type: 'signed' })
      return await verify({ message, signature }, signal)
    } catch (thrown) {
      if (signal.aborted || thrown instanceof SignInError) throw thrown
      const error = toWalletKitError(thrown)
      if (error.name === 'UserRejectedError') {
        // Nobody has seen the nonce: the same message can be signed after all.
        move({ type: 'rejected' })
        throw error
      }
      throw failAndPrepare('signing', thrown)
    }
  }

  const failAndPrepare = (stage: SignInStage, thrown: unknown): SignInError => {
    const error = fail(stage, thrown)
    if (isShown()) start()
    return error
  }

  const verify = async (signed: Parameters<typeof adapter.verify>[0], signal: AbortSignal): Promise<Session> => {
    clearTimeout(renewal)
    prepared = undefined
    const verified = queue(async () => {
      signal.throwIfAborted()
      const answer = call(() => adapter.verify(signed))
      let waiting: 'yes' | 'no' = 'yes'
      // A session that nobody waits for any more is given back, unless another has taken its place.
      answer.then(
        () =>
          (waiting === 'no' || signal.aborted) &&
          !store.getState().session &&
          !signing &&
          void tellServer().catch(() => {}),
        () => {},
      )
      return limit(answer).finally(() => {
        waiting = 'no'
      })
    })
    let session: Session
    try {
      session = parseSession(await untilAbandoned(verified, signal))
    } catch (thrown) {
      throw signal.aborted ? thrown : failAndPrepare('verifying', thrown)
    }
    if (!adopt(session)) {
      void tellServer().catch(() => {})
      throw failAndPrepare('generic', new WalletKitError('The session is of another account.'))
    }
    context.tabs?.tell('signedIn')
    return session
  }

  /** Shows a session, if it is one of the connected account. */
  const adopt = (session: Session): boolean => {
    const connection = getConnection(context)
    const described = connection && describeSession(context, connection, session)
    if (!described?.session) return false
    if (isShown()) {
      store.setState({ ...described, dialog: { name: 'none' } })
      settleDialog(context, connection)
    } else store.setState(described)
    return true
  }

  const end = () => {
    const connection = getConnection(context)
    if (connection) store.setState(describeSession(context, connection, undefined))
  }

  const watchExpiry = (session: Session | undefined) => {
    clearTimeout(expiry)
    if (!session) return
    const left = session.expiresAt - Date.now()
    expiry = setTimeout(() => (left > longestDelay ? watchExpiry(session) : end()), Math.min(left, longestDelay))
  }
  watchExpiry(store.getState().session)

  const stop = store.subscribe((state, before) => {
    if (state.session !== before.session) watchExpiry(state.session)
    const isClosed = before.dialog.name === 'signIn' && state.dialog.name !== 'signIn'
    const isSameAccount = state.address === before.address
    // The server may be asked on: whose account it is does not depend on the chain.
    const isSameChain = state.chainId === before.chainId || step.name === 'verifying'
    if (!isClosed && isSameAccount && isSameChain) return
    abandon()
    if (isShown() && !isClosed) start()
  })

  destroyed.addEventListener('abort', () => {
    stop()
    abandon()
    clearTimeout(expiry)
  })

  const restore = async () => {
    try {
      const answer = await queue(async () => adapter.getSession && ask(() => adapter.getSession?.()))
      return answer ? parseSession(answer) : undefined
    } catch {
      return undefined
    }
  }

  return {
    open: () => {
      // What the app has begun by itself goes on, and is shown.
      if (signing) return store.setState({ dialog: { name: 'signIn', step } })
      abandon()
      const { dialog } = store.getState()
      // A switch may be under way there.
      if (dialog.name === 'signIn') step = dialog.step
      start()
    },
    sign: () => {
      const { session } = store.getState()
      if (session) return Promise.resolve(session)
      signing ??= track(signAnew(), (tracked) => {
        if (signing === tracked) signing = undefined
      })
      return signing
    },
    signOut: async () => {
      end()
      context.tabs?.tell('signedOut')
      await tellServer().catch((thrown) => {
        throw new SignInError('generic', thrown)
      })
    },
    forget: end,
    leave: () => {
      context.tabs?.tell('signedOut')
      void tellServer().catch(() => {})
    },
    restore,
    resume: async () => {
      const { live } = context
      const session = await restore()
      if (session && context.live === live) adopt(session)
    },
  }
}

/** Tells when a promise is settled. */
function track<T>(promise: Promise<T>, onSettled: (tracked: Promise<T>) => void): Promise<T> {
  const tracked = promise.finally(() => onSettled(tracked))
  return tracked
}

/** A promise also of an adapter that throws on the spot. */
async function call<T>(act: () => T): Promise<Awaited<T>> {
  return await act()
}

async function untilAbandoned<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await abortable(promise, signal)
  } catch (thrown) {
    throw signal.aborted ? new AbortedError('The sign-in was given up.') : thrown
  }
}
