import type { AttemptEvent, ConnectFlow, ConnectStep } from '../state/state.ts'
import { settleAttempt } from '../state/transitions.ts'
import type { DownloadUrls, ListedWalletId } from '../wallets/wallet.ts'

/** The events of the connect dialog, for `kit.dispatch`. */
export type ConnectEvent<id extends string = string> =
  /** A wallet of the list was picked. */
  | { type: 'pick'; walletId: id }
  /** "What is a Wallet?" was clicked. */
  | { type: 'learn' }
  /** "Get a Wallet" was clicked. */
  | { type: 'get' }
  /** A wallet to download was chosen: in "Get a Wallet", or by "Don't have X? Get". */
  | { type: 'choose'; walletId: id }
  /** A card of the download options was clicked. */
  | { type: 'mobile' }
  | { type: 'extension' }
  | { type: 'desktop' }
  /** The QR code of the download was scanned. */
  | { type: 'continue' }
  /** The instructions were followed: connects the downloaded wallet. */
  | { type: 'connect' }
  /** Asks the same wallet again. */
  | { type: 'retry' }
  /** Returns to the previous step. */
  | { type: 'back' }

/** Inputs of the reducer in addition to the flow. */
type StepContext = {
  wallet: (walletId: string) => StepWallet | undefined
  /** Id of the attempt that this event may start. */
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

/** A possible next step. The first rule whose guard holds applies; if none does, the step stays. */
type Rule = { to: StepName; when?: keyof typeof guards }

const install: readonly Rule[] = [
  { to: 'downloadOptions', when: 'hasMobileAppAndMore' },
  { to: 'download', when: 'hasMobileApp' },
  { to: 'desktopInstructions', when: 'hasDesktopApp' },
  { to: 'extensionInstructions', when: 'hasExtension' },
]

/** Events of the wallet list, which a wide dialog shows beside every step. */
const list = {
  pick: [{ to: 'connecting', when: 'canBeAsked' }, ...install],
  learn: [{ to: 'learn' }],
  get: [{ to: 'get' }],
} satisfies Partial<Record<Move, readonly Rule[]>>

const connect: readonly Rule[] = [{ to: 'connecting' }]

/** The table of the connect dialog: step, event, rules for the next step. */
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
export const initialFlow: ConnectFlow = { step: { name: 'list' }, history: [] }

/** Returns the next step of the connect dialog; the same flow when the event changes nothing. */
export function reduceConnect(
  flow: ConnectFlow,
  event: ConnectEvent | AttemptEvent,
  context: StepContext,
): ConnectFlow {
  if ('attempt' in event) return settleAttempt(flow, event)
  if (event.type === 'back') return back(flow)
  if (isAlreadyConnecting(flow.step, event)) return flow

  const walletId =
    'walletId' in event ? (event.walletId as ListedWalletId) : 'walletId' in flow.step ? flow.step.walletId : undefined
  const wallet = walletId === undefined ? undefined : context.wallet(walletId)
  const rule = steps[flow.step.name][event.type]?.find(({ when }) => !when || (wallet && guards[when](wallet)))
  if (!rule) return flow

  const step = createStep(rule.to, walletId, context.attempt)
  if (!step || isSameStep(step, flow.step)) return flow
  if (event.type === 'pick') return { step, history: [{ name: 'list' }] }
  const history = event.type === 'retry' ? flow.history : [...flow.history, flow.step]
  return { step, history: step.name === 'connecting' ? history.filter(({ name }) => name !== 'connecting') : history }
}

function back(flow: ConnectFlow): ConnectFlow {
  const step = flow.history.at(-1)
  return step ? { step, history: flow.history.slice(0, -1) } : flow
}

/** Checks for a second tap on a wallet, which must not request it twice. */
function isAlreadyConnecting(step: ConnectStep, event: ConnectEvent): boolean {
  return (
    event.type === 'pick' &&
    step.name === 'connecting' &&
    step.walletId === event.walletId &&
    (step.phase === 'opening' || step.phase === 'alreadyOpen')
  )
}

function isSameStep(a: ConnectStep, b: ConnectStep): boolean {
  if (a.name === 'connecting' || a.name !== b.name) return false
  return !('walletId' in a && 'walletId' in b) || a.walletId === b.walletId
}

function createStep(name: StepName, walletId: ListedWalletId | undefined, attempt: number): ConnectStep | undefined {
  if (name === 'list' || name === 'learn' || name === 'get') return { name }
  if (walletId === undefined) return undefined
  return name === 'connecting' ? { name, walletId, attempt, phase: 'opening' } : { name, walletId }
}
