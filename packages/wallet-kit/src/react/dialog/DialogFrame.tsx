import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { WalletKitState } from '../../core/state/state.ts'
import { directionOf } from '../../locales/translate.ts'
import { isOnPhone } from '../device/device.ts'
import { useCloseOnBack, useLatest } from '../hooks/useCloseOnBack.ts'
import { useWalletKit, useWalletKitState } from '../hooks/useWalletKit.ts'
import { LanguageContext } from '../language.ts'
import { useWasTrue } from '../parts/createPart.ts'
import { useWalletKitContext } from '../WalletKitContext.ts'
import { layOutEarly, showDialog, watchForOverlays } from './showDialog.ts'

/** Duration in milliseconds of the fade in dialog.css. */
const fade = 160

export type DialogFrameProps = {
  /** `false` before the first opening, for a dialog that is rendered early, and while it fades out. */
  open: boolean
  /** Called once the closed dialog has faded out. */
  onExited: () => void
  /** Called when the page does not draw the open dialog: its container is gone, or hidden. */
  onHidden: () => void
  dialogRef: RefObject<HTMLDialogElement | null>
  /** The window of the document that contains the dialog. */
  view: Window
  labelledBy: string
  describedBy: string
  width: number
  height?: number
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void
  children: ReactNode
}

/** Renders the frame of every dialog: it has a name and a description, traps the focus, and closes on Esc and Back. */
export function DialogFrame(props: DialogFrameProps) {
  const { open, onExited, dialogRef, labelledBy, describedBy, width, height, onKeyDown, children } = props
  const kit = useWalletKit()
  const { theme, closeOnBack = 'phone' } = useWalletKitContext()
  const { locale } = useContext(LanguageContext)
  const wasOpen = useWasTrue(open)
  const isModal = useShown(props, !wasOpen, kit.closeDialog)
  const isClosing = wasOpen && !open
  /** Full width, at the bottom of the screen. */
  const isSheet = isOnPhone()
  const pullDown = usePullToClose(kit.closeDialog)
  const backdrop = useBackdropClick(kit.closeDialog)
  useExit(isClosing, onExited)
  useCloseOnBack({
    isOpen: open && (closeOnBack === 'always' || (closeOnBack === 'phone' && isSheet)),
    onClose: kit.closeDialog,
  })
  const size = { '--wk-width': `${width}px`, '--wk-height': height && `${height}px` } as CSSProperties
  return (
    <dialog
      ref={dialogRef}
      className={`wk wk-dialog wk-own ${theme?.className ?? ''}`}
      // Stated, because apps and tests look for it; not for one that is rendered before it opens.
      role={wasOpen ? 'dialog' : undefined}
      aria-modal={wasOpen ? isModal : undefined}
      aria-hidden={!wasOpen || undefined}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      lang={locale}
      dir={directionOf(locale)}
      data-sheet={isSheet || undefined}
      data-early={!wasOpen || undefined}
      data-closing={isClosing || undefined}
      // Modals of the app hide what is beside them, but no live region: otherwise they hide all but the search in here.
      aria-live="off"
      // Modals of React Aria do not hide such an element, and take a press in it for one inside.
      data-react-aria-top-layer
      // It gets the focus, so that screen readers read its name and description.
      tabIndex={-1}
      onKeyDown={onKeyDown}
      {...backdrop}
    >
      <div className="wk-paper wk-own" style={size} {...(isSheet && pullDown)}>
        {children}
      </div>
    </dialog>
  )
}

/**
 * Shows the dialog while it is open, and while no boundary of the app around the kit hides it. While a wallet is asked, it
 * gives up the page around it as soon as the wallet draws something there. Returns whether it is modal.
 */
function useShown({ open, onHidden, dialogRef }: DialogFrameProps, isEarly: boolean, onClose: () => void): boolean {
  const { trapFocus = true } = useWalletKitContext()
  const isAsking = useWalletKitState(isWalletAsked)
  const [isOverlaid, setIsOverlaid] = useState(false)
  const isModal = trapFocus && !isOverlaid
  const focused = useRef<Element>(null)
  // Of all effects, only layout effects end when React hides an element, and run again when it shows it.
  useLayoutEffect(() => {
    const dialog = dialogRef.current
    if (!open || !dialog) return
    const last = focused.current
    const hide = showDialog(dialog, {
      isModal,
      onClose,
      focus: dialog.contains(last) ? (last as HTMLElement) : dialog,
    })
    // The browser closes it on Back of Android, for example.
    const onClosed = () => dialog.open || onClose()
    dialog.addEventListener('close', onClosed)
    // Missing in the documents of test runners.
    const observer = window.ResizeObserver && new ResizeObserver(() => dialog.offsetWidth || onHidden())
    observer?.observe(dialog)
    return () => {
      observer?.disconnect()
      dialog.removeEventListener('close', onClosed)
      focused.current = (dialog.getRootNode() as Document).activeElement
      hide()
    }
  }, [open, isModal, onClose, onHidden, dialogRef])
  useLayoutEffect(() => {
    if (isEarly && dialogRef.current) return layOutEarly(dialogRef.current)
  }, [isEarly, dialogRef])
  // In an effect, after what the app itself renders for the new state.
  useEffect(() => {
    if (isAsking && isModal && dialogRef.current) return watchForOverlays(dialogRef.current, () => setIsOverlaid(true))
  }, [isAsking, isModal, dialogRef])
  return isModal
}

/** Returns whether an answer of a wallet is being waited for. */
const isWalletAsked = ({ dialog, switching, signIn }: WalletKitState) =>
  (dialog.name === 'connect' && dialog.step.name === 'connecting') ||
  switching !== undefined ||
  signIn?.name === 'signing'

/** Calls `onExited` once a closed dialog has faded out. */
function useExit(isClosing: boolean, onExited: () => void): void {
  const latest = useLatest(onExited)
  useEffect(() => {
    if (!isClosing) return
    const timer = setTimeout(() => latest.current(), fade)
    return () => clearTimeout(timer)
  }, [isClosing, latest])
}

/**
 * Returns handlers that close a dialog on a click beside its paper. Selecting text may end there, but begins inside. In React,
 * `cancel` and `close` reach the app's own dialog around the kit, which would close too.
 */
function useBackdropClick(onClose: () => void) {
  const pressed = useRef<EventTarget>(null)
  return {
    onCancel: (event: SyntheticEvent) => {
      event.stopPropagation()
      event.preventDefault()
      onClose()
    },
    onClose: keepInside,
    onWheel: keepInside,
    onTouchMove: keepInside,
    onPointerDown: (event: SyntheticEvent) => {
      event.stopPropagation()
      pressed.current = event.target
    },
    onClick: ({ target, currentTarget }: SyntheticEvent) => {
      if (target === currentTarget && pressed.current === target) onClose()
    },
  }
}

/**
 * Keeps an event of a dialog from the app's elements around the kit, and from the document, where modals of the page listen: they take a
 * press in the dialog for one outside, and let nothing in it scroll. React listens below, at the container of the dialog.
 */
const keepInside = (event: SyntheticEvent): void => event.stopPropagation()

/** A pull closes from this distance (pixels) or this speed (pixels per millisecond). */
const minDistance = 120
const minSpeed = 0.5

/**
 * Returns handlers for a sheet that follows a finger pulling its header (`data-pull`) down, and then closes or
 * springs back. It is only a shortcut: Close and Esc always work.
 */
function usePullToClose(onClose: () => void) {
  const pull = useRef<{ y: number; at: number }>(undefined)
  const release = (event: PointerEvent<HTMLElement>) => {
    if (!pull.current) return
    const distance = event.clientY - pull.current.y
    const speed = distance / (event.timeStamp - pull.current.at)
    pull.current = undefined
    const isMeant = event.type === 'pointerup' && (distance > minDistance || (distance > 24 && speed > minSpeed))
    if (isMeant) return onClose()
    event.currentTarget.style.transition = 'translate 160ms ease-out'
    event.currentTarget.style.translate = ''
  }
  return {
    onPointerDown: ({
      isPrimary,
      pointerType,
      target,
      currentTarget,
      clientY,
      timeStamp,
    }: PointerEvent<HTMLElement>) => {
      const pressed = target as Element
      const isHead = pressed.closest('[data-pull]') && !pressed.closest('button')
      if (!isHead || !isPrimary || pointerType === 'mouse') return
      pull.current = { y: clientY, at: timeStamp }
      currentTarget.style.transition = 'none'
    },
    onPointerMove: ({ currentTarget, clientY }: PointerEvent<HTMLElement>) => {
      if (pull.current) currentTarget.style.translate = `0px ${Math.max(0, clientY - pull.current.y)}px`
    },
    onPointerUp: release,
    onPointerCancel: release,
  }
}
