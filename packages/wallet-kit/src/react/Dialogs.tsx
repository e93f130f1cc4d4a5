import { startTransition, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { WalletKitState } from '../core/state/state.ts'
import type { WalletKit } from '../core/WalletKit.ts'
import { directionOf } from '../locales/translate.ts'
import type { accountDialogs } from './accountDialogs.ts'
import { ConnectDialog } from './ConnectDialog/ConnectDialog.tsx'
import { whenPageIsIdle } from './device/whenPageIsIdle.ts'
import { useReturnFocus } from './dialog/focus.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { leaveClosedLayers, useLatest } from './hooks/useCloseOnBack.ts'
import { useWalletKit, useWalletKitState } from './hooks/useWalletKit.ts'
import { LanguageContext, useLanguage } from './language.ts'
import connect from './styles/connect.css?inline'
import dialog from './styles/dialog.css?inline'
import { Styles } from './styles/Styles.tsx'
import { type DialogOptions, useWalletKitContext } from './WalletKitContext.ts'

const css = dialog + connect

/** Loads the dialogs that need an account. From here, so that bundlers keep what they share with this file in it. */
export const loadAccountDialogs = () => import('./accountDialogs.ts').then((module) => module.accountDialogs)

/** The mounted providers. `look` checks again whether a provider is the first one of its kit. */
const providers = new Set<{ kit: WalletKit; place: number; look: () => void }>()

/** Renders the dialogs of a kit once. With several providers, as in the islands of a page, the first mounted one renders them. */
export function Dialogs(props: DialogsProps) {
  const kit = useWalletKit()
  const { place } = useWalletKitContext()
  const [isFirst, setIsFirst] = useState(false)
  useLayoutEffect(() => {
    const look = () => setIsFirst(![...providers].some((other) => other.kit === kit && other.place < place))
    const lookAll = () => {
      for (const provider of providers) provider.look()
    }
    const own = { kit, place, look }
    providers.add(own)
    lookAll()
    return () => {
      providers.delete(own)
      lookAll()
    }
  }, [kit, place])
  // Not in the layout effect, which ends while a part of the page is loading. React's strict mode mounts everything twice.
  useEffect(() => () => queueMicrotask(() => closeLeftDialog(kit)), [kit])
  return isFirst && <KitDialogs {...props} />
}

/**
 * Closes the open dialog once no provider of its kit is mounted, so that the next one does not open it again. What React's Activity
 * hides stays in the page, and is shown again as it was.
 */
function closeLeftDialog(kit: WalletKit): void {
  const isLeft = providers.size
    ? ![...providers].some((other) => other.kit === kit)
    : !document.querySelector('.wk-dialog')
  if (isLeft) kit.closeDialog()
}

type DialogsProps = { account: typeof accountDialogs | undefined }

/** Renders the open dialog. A closed one stays mounted until it has faded out; the style sheet stays for the next one. */
function KitDialogs({ account }: DialogsProps) {
  const { locale, container } = useWalletKitContext()
  const name = useWalletKitState((state) => state.dialog.name)
  const [mounted, setMounted] = useState<Mounted>(() => ({ name, container: findContainer(container) }))
  const language = useLanguage(locale, name !== 'none')
  if (name !== 'none' && (name !== mounted.name || mounted.isEarly))
    setMounted({ name, container: findContainer(container) })
  useEarlyDialog(mounted, (isEarly) =>
    setMounted({ name: isEarly ? 'connect' : 'none', container: findContainer(container), isEarly }),
  )
  // Once for all: when one dialog follows another, the element that opened the first counts.
  const returnFocus = useReturnFocus(name !== 'none')
  useEffect(leaveClosedLayers, [])
  const onExited = () => {
    // An early dialog gets here when it fails. It has not taken the focus.
    if (!mounted.isEarly) returnFocus()
    setMounted({ name: 'none', container: mounted.container, hasFailed: mounted.isEarly })
  }
  // Some modals of apps go away with what they contain, and some routers replace the body: Astro's, and Turbo.
  const onHidden = useMemo(
    () => () => setMounted((last) => ({ ...last, container: document.body, key: last.key ? 0 : 1 })),
    [],
  )
  const dialogRef = useRef<HTMLDialogElement>(null)
  const stylesRef = useRef<HTMLStyleElement>(null)
  const drawnIn = useRef(mounted.container)
  // Others empty it, as some modals do. What React has drawn there is put back before React changes or removes it.
  const putBack = () => {
    for (const { current } of [stylesRef, dialogRef])
      if (current && !current.parentNode) drawnIn.current.append(current)
  }
  putBack()
  useLayoutEffect(() => {
    drawnIn.current = mounted.container
    return putBack
  })
  const view = mounted.container.ownerDocument.defaultView ?? window
  const frame = { open: name === mounted.name, onExited, onHidden, dialogRef, view }
  // Not rendered again when a dialog opens.
  const styles = useMemo(() => <Styles dialogs={account ? css + account.css : css} elementRef={stylesRef} />, [account])
  const OpenDialog = { none: undefined, connect: ConnectDialog, ...account }[mounted.name]
  return createPortal(
    <>
      {styles}
      {language && OpenDialog && (
        <LanguageContext.Provider value={language}>
          <ErrorBoundary key={mounted.name} fallback={(retry) => <FailedDialog {...frame} onRetry={retry} />}>
            <OpenDialog {...frame} />
          </ErrorBoundary>
        </LanguageContext.Provider>
      )}
    </>,
    mounted.container,
    mounted.key,
  )
}

type Mounted = {
  name: WalletKitState['dialog']['name']
  container: HTMLElement
  /** Changes when an open dialog is drawn again in another place. */
  key?: number
  /** `true` if it is rendered before it opens. */
  isEarly?: boolean
  /** `true` after it failed then: it is rendered once it opens. */
  hasFailed?: boolean | undefined
}

/**
 * Renders the connect dialog when the page is idle, so that a press only has to show it: half of the time until its wallets
 * are painted. Not in the documents of test runners, where a closed `<dialog>` may be found.
 */
function useEarlyDialog({ name, isEarly, hasFailed }: Mounted, set: (isEarly: boolean) => void): void {
  const isNeeded = useWalletKitState(({ status }) => status === 'disconnected')
  const latest = useLatest(set)
  const isNative = globalThis.HTMLDialogElement?.prototype.showModal
  const isWanted = isNeeded && name === 'none' && !hasFailed && isNative
  const isLeft = isEarly && !isNeeded
  useEffect(() => {
    if (isLeft) latest.current(false)
    if (isWanted) return whenPageIsIdle(() => startTransition(() => latest.current(true)))
  }, [isWanted, isLeft, latest])
}

function findContainer(container: DialogOptions['container']): HTMLElement {
  try {
    const found = typeof container === 'function' ? container() : container
    if (found?.nodeType) return found
  } catch (error) {
    console.error(error)
  }
  return document.body
}

type FailedDialogProps = { open: boolean; onExited: () => void; onRetry: () => void }

/** Says at the bottom of the page that a dialog failed. Depends on no theme and no text of the app: they may be the cause. */
function FailedDialog({ open, onExited, onRetry }: FailedDialogProps) {
  const { closeDialog } = useWalletKit()
  const { locale, messages } = useContext(LanguageContext)
  useEffect(() => {
    if (!open) onExited()
  })
  if (!open) return null
  return createPortal(
    <div role="alert" lang={locale} dir={directionOf(locale)} style={failed}>
      <span>{messages.errorGeneric}</span>
      <button type="button" tabIndex={0} style={{ minHeight: 44 }} onClick={onRetry}>
        {messages.retry}
      </button>
      <button type="button" tabIndex={0} style={{ minHeight: 44 }} onClick={closeDialog}>
        {messages.close}
      </button>
    </div>,
    document.body,
  )
}

const failed = {
  position: 'fixed',
  insetInline: 12,
  bottom: 12,
  zIndex: 1300,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 8,
  width: 'fit-content',
  margin: '0 auto',
  padding: 12,
  border: '1px solid',
  borderRadius: 8,
  color: 'CanvasText',
  background: 'Canvas',
} as const
