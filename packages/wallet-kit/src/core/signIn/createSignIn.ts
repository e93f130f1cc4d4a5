import { stringToHex } from 'viem'
import {
  AbortedError,
  ChainError,
  createNotConnectedError,
  SignInError,
  type SignInStage,
  toWalletKitError,
  WalletKitError,
} from '../lib/errors.ts'
import { requestProvider } from '../provider/eip1193.ts'
import type { AuthenticationConfig, Session, SignIn } from '../state/authentication.ts'
import { closeConnectedDialogs, coversAccount, type Rules } from '../state/connectionTransitions.ts'
import { type KitContext, update } from '../state/context.ts'
import { isEstablished, type WalletKitState } from '../state/state.ts'
import { closeDialog, isSigning, showSignIn } from '../state/transitions.ts'
import { createConnectSignIn, preparedLifetime } from './connectSignIn.ts'
import {
  createSessionServer,
  type PreparedMessage,
  parseSignature,
  type SessionServer,
  untilAborted,
} from './createSessionServer.ts'
import { reduceSignIn, type SignInEvent } from './signInSteps.ts'

/**
 * The running parts of one attempt to sign in, whose step is in the state. Its results are dropped after its signal has
 * fired.
 */
type SignInAttempt = {
  controller: AbortController
  prepared?: PreparedMessage
  preparing?: Promise<PreparedMessage>
  signing?: Promise<Session>
  renewal?: ReturnType<typeof setTimeout>
}

type Service = {
  context: KitContext
  server: SessionServer
  connectSignIn: ReturnType<typeof createConnectSignIn>
  current: SignInAttempt
  /** Number of times that the person signed out, here or in another tab. */
  signOuts: number
}

/** Creates the sign-in flow of the connected wallet. */
export function createSignIn(context: KitContext, { adapter }: AuthenticationConfig): SignIn {
  const server = createSessionServer(adapter, context.signal)
  const connectSignIn = createConnectSignIn(context, server)
  const current = { controller: new AbortController() }
  const service: Service = { context, server, connectSignIn, current, signOuts: 0 }
  watchExpiry(context, () => forgetSession(context))
  watchAccount(service)
  return {
    open: () => {
      // The dialog shows an attempt that the app started without it.
      if (isSigning(readStep(service))) return
      if (!service.current.preparing) cancel(service)
      start(service)
    },
    prepareConnect: connectSignIn.prepare,
    sign: async () => context.store.getState().session ?? sign(service),
    signOut: async () => {
      service.signOuts++
      if (isSigning(readStep(service)) || service.current.preparing) restart(service)
      forgetSession(context)
      context.tabs?.post('signedOut')
      await server.signOut().catch((thrown) => {
        throw new SignInError('generic', thrown)
      })
    },
    forget: () => {
      service.signOuts++
      forgetSession(context)
    },
    leave: () => {
      context.tabs?.post('signedOut')
      void server.signOut().catch(() => {})
    },
    restore: server.restore,
    resume: async () => {
      const { connectionId } = context.store.getState()
      const { signOuts } = service
      const session = await server.restore()
      const isCurrent = context.store.getState().connectionId === connectionId && service.signOuts === signOuts
      if (session && isCurrent) applySession(context, session)
    },
  }
}

/** Cancels the attempt when the dialog closes and when the connection changes; an open dialog starts another one. */
function watchAccount(service: Service): void {
  const { store, signal } = service.context
  const stop = store.subscribe((state, before) => {
    const isClosed = before.dialog.name === 'signIn' && state.dialog.name !== 'signIn'
    const isSameConnection = state.connectionId === before.connectionId
    const isSameAccount = isSameConnection && state.address === before.address
    // The server verifies the account on any chain.
    const isSameChain = state.chainId === before.chainId || before.signIn?.name === 'verifying'
    if (!isClosed && isSameAccount && isSameChain) return
    cancel(service)
    // Another connection opens sign-in anew.
    if (isShown(state) && isSameConnection) start(service)
  })
  signal.addEventListener('abort', () => {
    stop()
    cancel(service)
  })
}

const isShown = (state: WalletKitState) => state.dialog.name === 'signIn'

const readStep = ({ context }: Service) => context.store.getState().signIn

function move({ context }: Service, event: SignInEvent): void {
  update(context, (state) => showSignIn(state, reduceSignIn(state.signIn ?? { name: 'preparing' }, event)))
}

/** Cancels the attempt. A step without an attempt is shown only in the dialog. */
function cancel(service: Service): void {
  const { controller, renewal } = service.current
  service.current = { controller: new AbortController() }
  clearTimeout(renewal)
  controller.abort()
  update(service.context, (state) => (isShown(state) ? state : showSignIn(state, undefined)))
}

/** Prepares a message for the dialog. */
function start(service: Service): void {
  if (service.context.store.getState().isSupportedChain) void prepare(service).catch(() => {})
  else move(service, { type: 'leaveNetwork' })
}

function readAccount({ store }: KitContext) {
  const state = store.getState()
  if (!isEstablished(state)) throw createNotConnectedError()
  if (!state.isSupportedChain) throw new ChainError('Wrong network detected, switch or disconnect to continue.')
  return state
}

function prepare(service: Service): Promise<PreparedMessage> {
  const { current } = service
  current.preparing ??= prepareMessage(service, current).finally(() => delete current.preparing)
  return current.preparing
}

async function prepareMessage(service: Service, current: SignInAttempt): Promise<PreparedMessage> {
  const { address, chainId } = readAccount(service.context)
  const { signal } = current.controller
  move(service, { type: 'prepare' })
  service.connectSignIn.forget()
  try {
    const prepared = await service.server.prepare({ address, chainId }, signal)
    current.prepared = prepared
    current.renewal = setTimeout(() => renew(service), preparedLifetime)
    move(service, { type: 'prepared' })
    return prepared
  } catch (thrown) {
    throw signal.aborted ? thrown : fail(service, 'preparing', thrown)
  }
}

/** Replaces a message whose nonce is about to expire, unless it is being signed. */
function renew(service: Service): void {
  if (!isSigning(readStep(service))) restart(service)
}

/** Cancels the attempt; an open dialog starts another one. */
function restart(service: Service): void {
  cancel(service)
  if (isShown(service.context.store.getState())) start(service)
}

function sign(service: Service): Promise<Session> {
  const { prepared, signing } = service.current
  if (signing) return signing
  if (prepared && Date.now() - prepared.preparedAt >= preparedLifetime) renew(service)
  const { current } = service
  current.signing = signAndVerify(service, current).finally(() => delete current.signing)
  return current.signing
}

async function signAndVerify(service: Service, current: SignInAttempt): Promise<Session> {
  const { provider } = readAccount(service.context)
  // A prepared message is signed synchronously, because phones open another app only during a tap.
  const { message, address } = current.prepared ?? (await prepare(service))
  const { signal } = current.controller
  if (signal.aborted) throw new AbortedError('Sign-in was cancelled.')
  move(service, { type: 'sign' })
  try {
    const params = [stringToHex(message), address]
    const answer = requestProvider(provider, { method: 'personal_sign', params })
    const signature = parseSignature(await untilAborted(answer, signal))
    move(service, { type: 'signed' })
    return await verify(service, { message, signature }, current)
  } catch (thrown) {
    if (signal.aborted || thrown instanceof SignInError) throw thrown
    const error = toWalletKitError(thrown)
    if (error.name !== 'UserRejectedError') throw failAndStart(service, 'signing', thrown)
    // The nonce was not sent to the server, so the same message can still be signed.
    move(service, { type: 'rejected' })
    throw error
  }
}

async function verify(
  service: Service,
  signed: Parameters<SessionServer['verify']>[0],
  current: SignInAttempt,
): Promise<Session> {
  const { context, server } = service
  const { signal } = current.controller
  clearTimeout(current.renewal)
  delete current.prepared
  // A cancelled attempt leaves its step in the state when the kit is destroyed, so this compares attempts.
  const isReplaced = () =>
    context.store.getState().session !== undefined ||
    (service.current !== current && service.current.signing !== undefined)
  let session: Session
  try {
    session = await server.verify(signed, signal, isReplaced)
  } catch (thrown) {
    throw signal.aborted ? thrown : failAndStart(service, 'verifying', thrown)
  }
  if (!applySession(context, session)) {
    void server.signOut().catch(() => {})
    throw failAndStart(service, 'generic', new WalletKitError('The server returned a session of another account.'))
  }
  context.tabs?.post('signedIn')
  return session
}

function fail(service: Service, stage: SignInStage, cause: unknown): SignInError {
  const error = new SignInError(stage, cause)
  const step = readStep(service)
  // If another message could not be prepared either, the failure before it says what the person has lost.
  const earlier = stage === 'preparing' && step?.name === 'preparing' ? step.error : undefined
  cancel(service)
  if (isShown(service.context.store.getState())) move(service, { type: 'failed', error: earlier ?? error })
  return error
}

function failAndStart(service: Service, stage: SignInStage, cause: unknown): SignInError {
  const error = fail(service, stage, cause)
  if (isShown(service.context.store.getState())) start(service)
  return error
}

/** Signs in the account. Returns `false` when the session does not cover the account. */
function applySession(context: KitContext, session: Session): boolean {
  update(context, (state) => startSession(state, session, context.config, Date.now()))
  return context.store.getState().session === session
}

/** Ends the session on this page. */
function forgetSession(context: KitContext): void {
  update(context, (state) => endSession(state, context.config))
}

/** Signs in the account and ends the step of sign-in. Ignores a session that does not cover the account. */
export function startSession(state: WalletKitState, session: Session, rules: Rules, now: number): WalletKitState {
  if (!isEstablished(state) || !coversAccount(state, session, rules, now)) return state
  const signedIn = showSignIn({ ...state, status: 'connected', session }, undefined)
  return state.dialog.name === 'signIn' ? closeDialog(signedIn) : signedIn
}

/** Ends the session. The wallet stays connected. */
export function endSession(state: WalletKitState, { authentication }: Rules): WalletKitState {
  if (!isEstablished(state)) return state
  const { session: _, ...rest } = state
  return closeConnectedDialogs({ ...rest, status: authentication?.required ? 'unauthenticated' : 'connected' })
}

/** The longest delay that a timer accepts, in milliseconds. */
const maxDelay = 2 ** 31 - 1

/** Calls `onExpired` when the session in the state expires. */
function watchExpiry({ store, signal }: Pick<KitContext, 'store' | 'signal'>, onExpired: () => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const schedule = (session: Session | undefined) => {
    clearTimeout(timer)
    if (!session) return
    const left = session.expiresAt - Date.now()
    timer = setTimeout(() => (left > maxDelay ? schedule(session) : onExpired()), Math.min(left, maxDelay))
  }
  schedule(store.getState().session)
  const stop = store.subscribe(({ session }, before) => {
    if (session !== before.session) schedule(session)
  })
  signal.addEventListener('abort', () => {
    stop()
    clearTimeout(timer)
  })
}
