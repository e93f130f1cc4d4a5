import type { WalletKitError } from './errors.ts'
import type { DownloadUrls } from './wallet.ts'

type Attempted = { name: 'connecting'; walletId: string; attempt: number }

/** A wallet is being asked. `uri`: over the relay; `declined`: the person said no to an earlier URI of this try. */
export type OpeningStep = Attempted & { phase: 'opening'; uri?: string; declined?: true }

/** The one step in which a wallet is being asked. `attempt` is the identity of the try. */
export type ConnectingStep =
  | OpeningStep
  | (Attempted & { phase: 'alreadyOpen' })
  | (Attempted & { phase: 'rejected' })
  | (Attempted & { phase: 'failed'; error: WalletKitError })

/** A step of the connect dialog. What belongs to one step lives in that step. */
export type ConnectStep =
  | { name: 'list' }
  | { name: 'learn' }
  | { name: 'get' }
  | ConnectingStep
  | { name: 'downloadOptions'; walletId: string }
  | { name: 'download'; walletId: string }
  | { name: 'mobileInstructions'; walletId: string }
  | { name: 'extensionInstructions'; walletId: string }
  | { name: 'desktopInstructions'; walletId: string }

/** What a person does in the connect dialog: the argument of `kit.dispatch`. */
export type ConnectEvent =
  /** A row of the wallet list. */
  | { type: 'pick'; walletId: string }
  /** "What is a Wallet?" */
  | { type: 'learn' }
  /** "Get a Wallet" */
  | { type: 'get' }
  /** A row of "Get a Wallet", or "Don't have X? Get". */
  | { type: 'choose'; walletId: string }
  /** The cards of the download options. */
  | { type: 'mobile' }
  | { type: 'extension' }
  | { type: 'desktop' }
  /** From the download's QR code to what to do next. */
  | { type: 'continue' }
  /** The end of instructions: ask the wallet they were about. */
  | { type: 'connect' }
  /** Ask the same wallet again. */
  | { type: 'retry' }
  /** To where the person came from. */
  | { type: 'back' }

/** What became of a try. It counts only while the dialog still remembers that try. */
export type AttemptEvent =
  | { type: 'uri'; attempt: number; uri: string }
  /** The person said no, and a new URI is on its way. */
  | { type: 'declined'; attempt: number }
  | { type: 'alreadyOpen'; attempt: number }
  | { type: 'rejected'; attempt: number }
  | { type: 'failed'; attempt: number; error: WalletKitError }

/** Where the person is, and the way back. */
export type ConnectFlow = { step: ConnectStep; history: readonly ConnectStep[] }

/** What the machine has to know of the world. */
export type StepContext = {
  wallet: (walletId: string) => StepWallet | undefined
  /** Identity of the try that this event may open. */
  attempt: number
}

export type StepWallet = { ready: boolean; downloadUrls: DownloadUrls }

type StepName = ConnectStep['name']
type Move = Exclude<ConnectEvent['type'], 'back'>
const guards = {
  canBeAsked: (wallet: StepWallet) => wallet.ready,
  hasMobileApp: ({ downloadUrls: urls }: StepWallet) => Boolean(urls.ios || urls.android || urls.mobile || urls.qrCode),
  hasDesktopApp: ({ downloadUrls: urls }: StepWallet) =>
    Boolean(urls.macos || urls.windows || urls.linux || urls.desktop),
  hasExtension: ({ downloadUrls: urls }: StepWallet) =>
    Boolean(urls.chrome || urls.edge || urls.firefox || urls.opera || urls.safari || urls.browserExtension),
  hasMobileAppAndMore: (wallet: StepWallet): boolean =>
    guards.hasMobileApp(wallet) && (guards.hasExtension(wallet) || guards.hasDesktopApp(wallet)),
}

/** The first rule whose guard holds says where to go. None: the person stays. */
type Rule = { to: StepName; when?: keyof typeof guards }

const install: readonly Rule[] = [
  { to: 'downloadOptions', when: 'hasMobileAppAndMore' },
  { to: 'download', when: 'hasMobileApp' },
  { to: 'desktopInstructions', when: 'hasDesktopApp' },
  { to: 'extensionInstructions', when: 'hasExtension' },
]

/** The list stays on screen beside every step of a wide dialog. */
const list = {
  pick: [{ to: 'connecting', when: 'canBeAsked' }, ...install],
  learn: [{ to: 'learn' }],
  get: [{ to: 'get' }],
} satisfies Partial<Record<Move, readonly Rule[]>>

const connect: readonly Rule[] = [{ to: 'connecting' }]

/** The connect dialog: in which step, on which event, to which step. */
export const steps: Record<StepName, Partial<Record<Move, readonly Rule[]>>> = {
  list: { ...list },
  learn: { ...list },
  get: { ...list, choose: install },
  connecting: { ...list, choose: install, retry: connect },
  downloadOptions: {
    ...list,
    mobile: [{ to: 'download' }],
    extension: [{ to: 'extensionInstructions' }],
    desktop: [{ to: 'desktopInstructions' }],
  },
  download: { ...list, continue: [{ to: 'mobileInstructions' }] },
  mobileInstructions: { ...list, connect },
  extensionInstructions: { ...list, connect },
  desktopInstructions: { ...list, connect },
}

/** The first step of the connect dialog. */
export const home: ConnectFlow = { step: { name: 'list' }, history: [] }

/**
 * The next step of the connect dialog. Pure; returns the same flow when the event changes nothing.
 *
 * @example
 * reduceConnect(home, { type: 'learn' }, context) // { step: { name: 'learn' }, history: [{ name: 'list' }] }
 */
export function reduceConnect(
  flow: ConnectFlow,
  event: ConnectEvent | AttemptEvent,
  context: StepContext,
): ConnectFlow {
  if ('attempt' in event) return settle(flow, event)
  if (event.type === 'back') return back(flow)
  if (isBeingAsked(flow.step, event)) return flow

  const walletId = 'walletId' in event ? event.walletId : 'walletId' in flow.step ? flow.step.walletId : undefined
  const wallet = walletId === undefined ? undefined : context.wallet(walletId)
  const rule = steps[flow.step.name][event.type]?.find(({ when }) => !when || (wallet && guards[when](wallet)))
  if (!rule) return flow

  const step = createStep(rule.to, walletId, context.attempt)
  if (!step || isSamePlace(step, flow.step)) return flow
  if (event.type === 'pick') return { step, history: [{ name: 'list' }] }
  const history = event.type === 'retry' ? flow.history : [...flow.history, flow.step]
  return { step, history: step.name === 'connecting' ? history.filter(({ name }) => name !== 'connecting') : history }
}

/** The try which the dialog still remembers: on screen, or one Back away. Any other is abandoned. */
export function findAttempt({ step, history }: ConnectFlow): ConnectingStep | undefined {
  return [...history, step].findLast((step) => step.name === 'connecting')
}

function back(flow: ConnectFlow): ConnectFlow {
  const step = flow.history.at(-1)
  return step ? { step, history: flow.history.slice(0, -1) } : flow
}

function settle(flow: ConnectFlow, event: AttemptEvent): ConnectFlow {
  if (findAttempt(flow)?.attempt !== event.attempt) return flow
  const update = (step: ConnectStep) =>
    step.name === 'connecting' && step.attempt === event.attempt ? outcome(step, event) : step
  return { step: update(flow.step), history: flow.history.map(update) }
}

function outcome(before: ConnectingStep, event: AttemptEvent): ConnectingStep {
  const { name, walletId, attempt } = before
  const step = { name, walletId, attempt }
  switch (event.type) {
    case 'uri':
      return {
        ...step,
        phase: 'opening',
        uri: event.uri,
        ...(before.phase === 'opening' && before.declined && { declined: true }),
      }
    case 'declined':
      return { ...step, phase: 'opening', declined: true }
    case 'failed':
      return { ...step, phase: 'failed', error: event.error }
    case 'alreadyOpen':
    case 'rejected':
      return { ...step, phase: event.type }
  }
}

/** A second tap on the wallet that is being asked must not ask it twice. */
function isBeingAsked(step: ConnectStep, event: ConnectEvent): boolean {
  return (
    event.type === 'pick' &&
    step.name === 'connecting' &&
    step.walletId === event.walletId &&
    (step.phase === 'opening' || step.phase === 'alreadyOpen')
  )
}

function isSamePlace(a: ConnectStep, b: ConnectStep): boolean {
  if (a.name === 'connecting' || a.name !== b.name) return false
  return !('walletId' in a && 'walletId' in b) || a.walletId === b.walletId
}

function createStep(name: StepName, walletId: string | undefined, attempt: number): ConnectStep | undefined {
  if (name === 'list' || name === 'learn' || name === 'get') return { name }
  if (walletId === undefined) return undefined
  return name === 'connecting' ? { name, walletId, attempt, phase: 'opening' } : { name, walletId }
}
