import type { EIP1193Provider } from 'viem'
import { toWalletKitError } from '../lib/errors.ts'
import { abortable, delay, withDeadline } from '../lib/promises.ts'
import { parseAccounts, readProperty } from '../lib/untrusted.ts'
import { requestTimeout, watchProvider } from '../provider/eip1193.ts'
import { type KitContext, update } from '../state/context.ts'
import { openDialog } from '../state/transitions.ts'
import type { Connector, ConnectorConnection, ListedWalletId } from '../wallets/wallet.ts'

/** Interval in milliseconds at which a wallet with an open request is asked for its accounts. */
const pollInterval = 1_000

/** Waits until the person answers the earlier request, and the wallet reports or returns its accounts. */
export async function waitForAnswer(connector: Connector, signal: AbortSignal): Promise<ConnectorConnection> {
  const read = () => withDeadline(async (signal) => connector.reconnect?.({ signal }), requestTimeout, signal)
  for (;;) {
    const answer = await abortable(askQuietly(read), signal)
    if (answer) return answer
    await abortable(waitForReport(connector, signal), signal)
  }
}

/** Asks a connector. One that fails gives no answer. */
async function askQuietly(ask: () => ReturnType<NonNullable<Connector['resume']>> | undefined) {
  try {
    return await ask()
  } catch {
    return undefined
  }
}

/** Resolves when the wallet reports accounts, and after `pollInterval` at the latest. */
async function waitForReport(connector: Connector, signal: AbortSignal): Promise<void> {
  const provider = connector.getProvider?.()
  const wait = (signal: AbortSignal) => (provider ? waitForAccounts(provider, signal) : delay(pollInterval, signal))
  await withDeadline(wait, pollInterval, signal)
}

/** Time limit in milliseconds for a wallet to appear on the page while the stored account is shown. */
const injectionTimeout = 3_000
/** Intervals in milliseconds at which a missing wallet is looked for: at first, and later. */
const injectionIntervals = [100, 1_000] as const
/** Milliseconds after which a silent wallet is asked again: at first, then twice as long each time. */
const silenceIntervals = { first: 2_000, longest: 60_000 }

type LastWallet<Found, Answer> = {
  /** Finds the wallet that was connected last, once it is ready. */
  find: () => Found | undefined
  /** Looks again for wallets that appear without an event. */
  refresh: () => void
  /** Asks it without a prompt. Rejects when it must not be asked again. */
  ask: (found: Found) => Promise<Answer | undefined>
  /** The request that has been sent. */
  first: Promise<Answer | undefined> | undefined
  /** Time when the attempt began, in Unix milliseconds. */
  began: number
  /** Stops showing the stored account. */
  hide: () => void
  signal: AbortSignal
}

/** Waits for the wallet that was connected last, which may be missing, silent or locked, as long as the page is open. */
export async function waitForWallet<Found extends { connector: Connector }, Answer>(
  last: LastWallet<Found, Answer>,
): Promise<Answer | undefined> {
  const { ask, hide, signal } = last
  let { first } = last
  void hideInTime(last)
  const found = await waitUntilFound(last)
  while (found && !signal.aborted) {
    const answer = await askUntilAnswered(found, { ask, first, signal })
    const provider = found.connector.getProvider?.()
    if (answer || !provider) return answer
    if (!signal.aborted) hide()
    await waitForAccounts(provider, signal)
    first = undefined
  }
  return undefined
}

type Answer = { walletId: ListedWalletId; connector: Connector; answer: ConnectorConnection }

type FirstAnswer = {
  /** The answer of the wallet that contains the page. */
  first: Promise<Answer | undefined> | undefined
  /** The answer of the wallet that was connected last, if there is one. */
  last: Promise<Answer | undefined> | undefined
  /** The wallet whose answer an earlier page awaited. */
  awaited: Pick<Answer, 'walletId' | 'connector'> | undefined
  /** Stops showing the stored account. */
  hide: () => void
  /** Fires when the attempt ends. */
  signal: AbortSignal
}

/**
 * Resolves with the first answer: of the wallet that contains the page, of the one that was connected last, or of the one whose
 * answer an earlier page awaited. Calls `hide` once the second does not come.
 */
export async function firstAnswer(context: KitContext, parameters: FirstAnswer): Promise<Answer | undefined> {
  const { first, last, awaited, hide, signal } = parameters
  if (signal.aborted) return undefined
  const waiting = new AbortController()
  signal.addEventListener('abort', () => waiting.abort())
  const restored = Promise.resolve(last).then((answer) => {
    if (answer) waiting.abort()
    else hide()
    return answer
  })
  const resumed = awaited && resume(context, awaited, { ended: signal, signal: waiting.signal })
  const answers = [first, restored, resumed].map(async (asked) => (await asked) ?? Promise.reject())
  return Promise.any(answers).catch(() => undefined)
}

/** Waits for the awaited answer. If another tab receives it, resolves with the session of that tab. */
async function resume(
  context: KitContext,
  { walletId, connector }: NonNullable<FirstAnswer['awaited']>,
  { ended, signal }: { ended: AbortSignal; signal: AbortSignal },
): Promise<Answer | undefined> {
  const readTopic = () => context.storage.read('session', (session) => readProperty(session, 'topic'))
  const topic = readTopic()
  const isShown = context.storage.read('session', (session) =>
    readProperty(readProperty(session, 'pairing'), 'isShown'),
  )
  const asked = askQuietly(() =>
    connector.resume?.({ signal }).catch((thrown) => {
      // An app that showed the code by its own means has no use for the dialog.
      if (isShown && !signal.aborted) showRejection(context, walletId, thrown)
      return undefined
    }),
  )
  ended.addEventListener('abort', () => {
    void asked.then((answer) => answer && endUnused(context, { walletId, connector, answer }))
  })
  const answer = await askQuietly(async () => {
    const resumed = await abortable(asked, signal)
    if (resumed || readTopic() === topic) return resumed
    return connector.reconnect && abortable(connector.reconnect({ signal }), signal)
  })
  return answer && { walletId, connector, answer }
}

/** Shows that the person has rejected the connection, as the page that asked for it would have, unless something else is shown. */
function showRejection(context: KitContext, walletId: ListedWalletId, thrown: unknown): void {
  if (toWalletKitError(thrown).name !== 'UserRejectedError') return
  const step = { name: 'connecting', walletId, attempt: context.createAttemptId(), phase: 'rejected' } as const
  update(context, (state) =>
    state.status === 'disconnected' && state.dialog.name === 'none'
      ? openDialog(state, { name: 'connect', step, history: [{ name: 'list' }] })
      : state,
  )
}

/** Ends the session that a wallet approved for an earlier page, unless this tab or another one is connected to it. */
function endUnused({ store, storage }: KitContext, { walletId, connector, answer: { provider } }: Answer): void {
  const isConnected = storage.read('connection', (stored) => readProperty(stored, 'walletId')) === walletId
  if (!isConnected && store.getState().provider !== provider) connector.disconnect?.(provider).catch(() => {})
}

/** Stops showing the stored account when the wallet is missing or silent for too long. */
async function hideInTime<Found, Answer>({ find, hide, began, signal }: LastWallet<Found, Answer>): Promise<void> {
  const until = (limit: number) => delay(began + limit - Date.now(), signal)
  await until(injectionTimeout)
  if (find()) await until(requestTimeout)
  if (!signal.aborted) hide()
}

async function waitUntilFound<Found, Answer>({ find, refresh, began, signal }: LastWallet<Found, Answer>) {
  const [first, later] = injectionIntervals
  while (!signal.aborted) {
    const found = find()
    if (found) return found
    await delay(Date.now() - began < injectionTimeout ? first : later, signal)
    refresh()
  }
  return undefined
}

/** Asks a wallet again while it is silent: one that starts late may have lost the first request. */
async function askUntilAnswered<Found extends { connector: Connector }, Answer>(
  found: Found,
  { ask, first, signal }: Pick<LastWallet<Found, Answer>, 'ask' | 'first' | 'signal'>,
): Promise<Answer | undefined> {
  const asked = [first ?? ask(found)]
  for (let interval = silenceIntervals.first; !signal.aborted; ) {
    if (!found.connector.getProvider) return asked[0]
    const answered = Promise.race(asked).then((answer) => ({ answer }))
    const outcome = await Promise.race([answered, delay(interval, signal)])
    if (outcome) return outcome.answer
    asked.push(ask(found))
    interval = Math.min(interval * 2, silenceIntervals.longest)
  }
  return undefined
}

/** Resolves when a wallet reports that it has accounts or is connected, or when `signal` fires. */
function waitForAccounts(provider: EIP1193Provider, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // A wallet may report while listeners are added.
    let stop = () => {}
    let isOver = signal.aborted
    const end = () => {
      isOver = true
      stop()
      signal.removeEventListener('abort', end)
      resolve()
    }
    signal.addEventListener('abort', end)
    stop = watchProvider(provider, {
      accountsChanged: (payload) => parseAccounts(payload)?.length !== 0 && end(),
      connect: end,
    })
    if (isOver) end()
  })
}
