import {
  type ChangeEvent,
  createContext,
  type MouseEvent,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useMemo,
  useState,
} from 'react'
import type { ConnectEvent } from '../../core/dialogs/steps.ts'
import { storeDeepLink } from '../../core/wallets/deepLink.ts'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import type { MessageKey } from '../../locales/en.ts'
import { appLinkTarget, createRelayLink, openOutsideTelegram } from '../device/appLinks.ts'
import { canDownload } from '../device/findDownloads.ts'
import { arrowKeys } from '../dialog/focus.ts'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { useIconUrl } from '../icons/WalletIcon.tsx'
import { type Translate, useTranslate } from '../language.ts'
import { type ConnectState, type ConnectView, useConnectState, useFoundWallets } from './connectContext.tsx'
import { connectingTexts } from './connectingTexts.ts'
import { buttonProps, type ChildrenOf, createPart, fill, within } from './createPart.ts'
import { type Download, useDownloads } from './downloads.ts'
import { useAppLink } from './useAppLink.ts'
import { type LinkedApp, useApps } from './useApps.ts'

/** Returns the title of the dialog at a step. */
export function titleOf({ step, view, wallet }: ConnectState, t: Translate): string {
  if (view === 'list') return t('connectAWallet')
  if (view === 'learn') return t('whatIsAWallet')
  if (view === 'get') return t('getAWallet')
  const name = wallet?.name ?? ''
  if (step.name !== 'connecting') return t('get', { wallet: name })
  return wallet && view === 'scan' ? connectingTexts(step, wallet, t).title : name
}

/** Returns the sentence that screen readers hear for a step. */
export function statusOf(state: ConnectState, t: Translate): string {
  const { step, wallet } = state
  if (step.name === 'list') return t('chooseWallet')
  if (step.name !== 'connecting' || !wallet) return titleOf(state, t)
  const { title, text } = connectingTexts(step, wallet, t)
  return `${title} ${text}`
}

export const Title = createPart('h2', function useTitle() {
  const state = useConnectState()
  return { children: titleOf(state, useTranslate()) }
})

export const Status = createPart('span', function useStatus() {
  const state = useConnectState()
  return { role: 'status', children: statusOf(state, useTranslate()) }
})

export const Back = createPart('button', function useBack() {
  const { history, dispatch } = useConnectState()
  const label = useTranslate()('back')
  if (history.length === 0) return undefined
  return { ...buttonProps, 'aria-label': label, onClick: () => dispatch({ type: 'back' }) }
})

export const Close = createPart('button', function useClose() {
  const { closeDialog } = useWalletKit()
  return { ...buttonProps, 'aria-label': useTranslate()('close'), onClick: closeDialog }
})

export const Action = createPart<'button', object, { event: ConnectEvent }>(
  'button',
  function useAction({ event }) {
    const { dispatch } = useConnectState()
    return { ...buttonProps, onClick: () => dispatch(event) }
  },
  ['event'],
)

export const Search = createPart('input', function useSearch() {
  const { query, setQuery } = useConnectState()
  const label = useTranslate()('searchWallets')
  const onChange = (event: ChangeEvent<HTMLInputElement>) => setQuery(event.target.value)
  const texts = { 'aria-label': label, placeholder: label }
  return { type: 'search', enterKeyHint: 'search', value: query, onChange, ...texts }
})

/** A group of the list: its name in the language of the page, and its wallets. */
export type ShownWalletGroup = { name: string; label: string; wallets: readonly WalletOption[] }

const groupTexts: Record<string, MessageKey | undefined> = {
  Installed: 'groupInstalled',
  Recent: 'groupRecent',
  Popular: 'groupPopular',
  More: 'groupMore',
}

function groupWallets(wallets: readonly WalletOption[], t: Translate): ShownWalletGroup[] {
  return [...new Set(wallets.map(({ groupName }) => groupName))].map((name) => {
    const text = groupTexts[name]
    return { name, label: text ? t(text) : name, wallets: wallets.filter(({ groupName }) => groupName === name) }
  })
}

export const List = createPart<'div', object, ChildrenOf<readonly ShownWalletGroup[]>>(
  'div',
  function useList({ children }) {
    const t = useTranslate()
    return { ...arrowKeys, children: fill(children, groupWallets(useFoundWallets(), t)) }
  },
  ['children'],
)

export const Empty = createPart<'div', object, { children?: ReactNode }>(
  'div',
  function useEmpty({ children }) {
    const query = useConnectState().query.trim()
    const t = useTranslate()
    const isEmpty = useFoundWallets().length === 0
    const text = query ? t('noWalletFound', { query }) : t('noWallets')
    return { 'aria-live': 'polite', children: isEmpty && (children ?? text) }
  },
  ['children'],
)

const GroupContext = createContext<{ id: string; group: ShownWalletGroup } | undefined>(undefined)

/** Provides a group to its label. */
export const Group = createPart<'div', object, { group: ShownWalletGroup; children?: ReactNode }>(
  'div',
  function useGroup({ group, children }) {
    const id = useId()
    const content = <GroupContext.Provider value={{ id, group }}>{children}</GroupContext.Provider>
    return { role: 'group', 'aria-labelledby': id, children: content }
  },
  ['group', 'children'],
)

export const GroupLabel = createPart('h3', function useGroupLabel() {
  const { id, group } = within(useContext(GroupContext), 'Connect.Group')
  return { id, children: group.label }
})

/** The state of a wallet in the list. */
export type WalletState = {
  /** It is being connected, or its downloads are shown. */
  selected: boolean
  installed: boolean
  recent: boolean
  /** Another provider claims to be this wallet too. */
  unverified: boolean
  /** It can be neither asked nor downloaded here. */
  disabled: boolean
}

const WalletContext = createContext<{ id: string; wallet: WalletOption; mark: string | undefined } | undefined>(
  undefined,
)

export const Wallet = createPart<'button', WalletState, { wallet: WalletOption; children?: ReactNode }>(
  'button',
  function useWallet({ wallet, children }) {
    const { wallet: shown, dispatch } = useConnectState()
    const id = useId()
    const mark = markOf(wallet, useTranslate())
    const value = useMemo(() => ({ id, wallet, mark }), [id, wallet, mark])
    const state = stateOf(wallet, shown?.id)
    return {
      state,
      ...buttonProps,
      disabled: state.disabled,
      'aria-current': state.selected || undefined,
      'aria-label': wallet.name,
      'aria-describedby': mark && `${id}-mark`,
      onClick: () => dispatch({ type: 'pick', walletId: wallet.id }),
      children: <WalletContext.Provider value={value}>{children ?? <WalletName />}</WalletContext.Provider>,
    }
  },
  ['wallet', 'children'],
)

function stateOf(
  { id, installed, recent, verified, ready, downloadUrls }: WalletOption,
  shownId?: string,
): WalletState {
  const disabled = !ready && !canDownload(downloadUrls)
  return { selected: id === shownId, installed, recent, unverified: !verified, disabled }
}

/** Returns the text beside a wallet's name, if it needs one. */
function markOf(wallet: WalletOption, t: Translate): string | undefined {
  const { disabled, recent, unverified } = stateOf(wallet)
  if (disabled) return t('unsupported')
  if (unverified) return t('unverified')
  return recent ? t('recent') : undefined
}

export const WalletName = createPart('span', function useWalletName() {
  const { wallet } = within(useContext(WalletContext), 'Connect.Wallet')
  return { translate: 'no', children: wallet.name }
})

export const WalletIcon = createPart<'img', object, { wallet?: Pick<WalletOption, 'iconUrl'> }>(
  'img',
  function useWalletIcon({ wallet }) {
    const around = useContext(WalletContext)
    const src = useIconUrl((wallet ?? within(around, 'Connect.Wallet').wallet).iconUrl)
    return src ? { src, alt: '', draggable: false } : undefined
  },
  ['wallet'],
)

/** Shows "Recent", "Unverified" or "(unsupported)" beside a wallet's name, and describes the button by it. */
export const WalletMark = createPart<'span', { unverified: boolean }>('span', function useWalletMark() {
  const { id, wallet, mark } = within(useContext(WalletContext), 'Connect.Wallet')
  if (!mark) return undefined
  return { state: { unverified: !wallet.verified }, id: `${id}-mark`, children: mark }
})

type StepProps = ChildrenOf<ConnectState> & {
  /** The steps at which it is shown. Default: each step. */
  name?: ConnectView | readonly ConnectView[] | undefined
}

type StepState = { step: ConnectView; phase: string | undefined; appMissing: boolean }

export const Step = createPart<'div', StepState, StepProps>(
  'div',
  function useStep({ name, children }) {
    const state = useConnectState()
    const { step, view, isAppMissing } = state
    const isShown = name === undefined || (typeof name === 'string' ? name === view : name.includes(view))
    const phase = step.name === 'connecting' ? step.phase : undefined
    if (!isShown) return undefined
    return { state: { step: view, phase, appMissing: isAppMissing }, children: fill(children, state) }
  },
  ['name', 'children'],
)

/** Returns the texts of the request to the wallet. */
function useRequestTexts() {
  const { step, wallet } = useConnectState()
  const t = useTranslate()
  return step.name === 'connecting' && wallet ? connectingTexts(step, wallet, t) : undefined
}

export const StepTitle = createPart('h3', function useStepTitle() {
  return { children: useRequestTexts()?.title }
})

export const StepText = createPart('p', function useStepText() {
  const { view, copyState } = useConnectState()
  const t = useTranslate()
  const text = useRequestTexts()?.text
  if (view === 'scan' && copyState === 'failed') return { role: 'alert', children: t('copyLinkFailed') }
  return { children: text }
})

export const StepDetail = createPart('p', function useStepDetail() {
  return { children: useRequestTexts()?.detail }
})

export const Retry = createPart('button', function useRetry() {
  const { step, dispatch } = useConnectState()
  const text = useTranslate()('retry')
  const canRetry = step.name === 'connecting' && step.phase !== 'opening' && step.phase !== 'alreadyOpen'
  if (!canRetry) return undefined
  return { ...buttonProps, onClick: () => dispatch({ type: 'retry' }), children: text }
})

export const Qr = createPart<'svg', { waiting: boolean }>('svg', function useQr() {
  const { uri, wallet } = useConnectState()
  const code = useQrCode(uri && createRelayLink(wallet?.relayLinks?.qrCode, uri))
  const label = useTranslate()('qrCode', { wallet: wallet?.name ?? '' })
  const size = code?.size ?? 1
  const name = code ? ({ role: 'img', 'aria-label': label } as const) : ({ 'aria-hidden': true } as const)
  const children = code && <path d={code.path} fill="#000" />
  const state = { waiting: !code }
  return { state, ...name, viewBox: `0 0 ${size} ${size}`, shapeRendering: 'crispEdges', children }
})

type DrawQrCode = typeof import('./drawQrCode.ts').drawQrCode

/** Draws a QR code, dark on light, because some scanners cannot read the inverse. Loads the code that draws it. */
function useQrCode(text: string | undefined) {
  const [draw, setDraw] = useState<DrawQrCode>()
  const [, fail] = useState()
  useEffect(() => {
    import('./drawQrCode.ts').then(
      (module) => setDraw(() => module.drawQrCode),
      // Leads to the boundary around the dialog, which can try again.
      (error) =>
        fail(() => {
          throw error
        }),
    )
  }, [])
  return useMemo(() => (text && draw ? draw(text) : undefined), [text, draw])
}

export const CopyLink = createPart<'button', { copied: boolean; failed: boolean }>('button', function useCopyLink() {
  const { uri, copyState, copyLink } = useConnectState()
  const text = useTranslate()(copyState === 'copied' ? 'copied' : 'copyLink')
  return {
    state: { copied: copyState === 'copied', failed: copyState === 'failed' },
    ...buttonProps,
    disabled: !uri,
    onClick: copyLink,
    children: text,
  }
})

export const AppLink = createPart<'a', { waiting: boolean }>('a', function useOpenApp() {
  const { wallet, uri, appLink } = useConnectState()
  const { ref, onClick } = useAppLink()
  const children = useTranslate()('openApp', { wallet: wallet?.shortName ?? '' })
  const state = { waiting: !uri }
  if (appLink) return { ref, state, href: appLink, ...appLinkTarget(appLink), onClick, children }
  return uri ? undefined : { tag: 'button', state, ...disabled, children }
})

const disabled = { type: 'button', disabled: true } as const

export const Apps = createPart<'div', object, ChildrenOf<readonly LinkedApp[]>>(
  'div',
  function useAppList({ children }) {
    const { found } = useApps()
    return { ...arrowKeys, children: fill(children, found) }
  },
  ['children'],
)

export const App = createPart<'a', object, { app: LinkedApp }>(
  'a',
  function useApp({ app: { app, link } }) {
    const onClick = (event: MouseEvent) => {
      storeDeepLink(link, app.names?.en ?? app.name)
      if (openOutsideTelegram(link)) event.preventDefault()
    }
    return { href: link, ...appLinkTarget(link), onClick, children: app.shortName ?? app.name }
  },
  ['app'],
)

export const Downloads = createPart<'div', object, ChildrenOf<readonly Download[]>>(
  'div',
  function useDownloadList({ children }) {
    const downloads = useDownloads()
    return { ...arrowKeys, children: fill(children, downloads) }
  },
  ['children'],
)

export const DownloadLink = createPart<'a', { kind: Download['kind'] }, { download: Download }>(
  'a',
  function useDownload({ download: { kind, title, href, event } }) {
    const { dispatch } = useConnectState()
    const onClick = (click: MouseEvent) => {
      if (href && openOutsideTelegram(href)) click.preventDefault()
      if (event) dispatch(event)
    }
    const props = { tabIndex: 0, onClick, children: title }
    const state = { kind }
    if (!href) return { state, tag: 'button', ...props, type: 'button' }
    return { state, ...props, href, target: '_blank', rel: 'noreferrer' }
  },
  ['download'],
)
