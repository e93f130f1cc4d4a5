import Dialog from '@mui/material/Dialog'
import { keyframes, type Theme, useTheme } from '@mui/material/styles'
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useContext,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import { directionOf } from '../../locales/translate.ts'
import { isOnPhone } from '../device/device.ts'
import { useCloseOnBack } from '../hooks/useCloseOnBack.ts'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { LanguageContext } from '../language.ts'
import { accent, accentStyles } from '../theme/accent.ts'
import { fontVariable } from '../theme/createWalletKitTheme.ts'
import { useVariables } from '../theme/KitStyles.tsx'
import { useWalletKitContext } from '../WalletKitContext.ts'

const sans = 'system-ui, -apple-system, "Segoe UI"'

/**
 * System fonts by the `lang` of an element: each region draws Han characters differently, and Chinese fonts lack
 * Vietnamese letters.
 */
const scriptFonts = {
  [fontVariable]: `${sans}, "Noto Sans", "PingFang SC", "Noto Sans SC", sans-serif`,
  '&:lang(zh-CN)': {
    [fontVariable]: `"PingFang SC", "HarmonyOS Sans SC", "Noto Sans SC", "Microsoft YaHei", ${sans}, sans-serif`,
  },
  '&:lang(zh-TW)': {
    [fontVariable]: `"PingFang TC", "Noto Sans TC", "Noto Sans CJK TC", "Microsoft JhengHei", ${sans}, sans-serif`,
  },
  '&:lang(zh-HK)': {
    [fontVariable]: `"PingFang HK", "Noto Sans HK", "Noto Sans CJK HK", "Microsoft JhengHei", ${sans}, sans-serif`,
  },
  '&:lang(ja)': {
    [fontVariable]: `"Hiragino Sans", "Noto Sans JP", "Noto Sans CJK JP", "Yu Gothic UI", ${sans}, sans-serif`,
  },
  '&:lang(ko)': {
    [fontVariable]: `"Apple SD Gothic Neo", "Noto Sans KR", "Noto Sans CJK KR", "Malgun Gothic", ${sans}, sans-serif`,
  },
}

/** Text styles that the surrounding page may have changed. */
const text = (theme: Theme) => ({
  fontFamily: theme.typography.fontFamily ?? 'inherit',
  fontSize: 15,
  lineHeight: 1.5,
  letterSpacing: 'normal',
  textAlign: 'start' as const,
})

/** Styles by script: taller lines for Thai and Hindi, mirrored icons from right to left. */
const script = {
  ...scriptFonts,
  '&:is(:lang(th), :lang(hi)) :is(p, small, h3)': { lineHeight: 1.65 },
  '&[dir=rtl] svg[data-points]': { transform: 'scaleX(-1)' },
  // MUI's default would write the names of wallets in capitals.
  '& .MuiButton-root': { textTransform: 'none' },
}

const rise = keyframes({ from: { transform: 'translateY(32px)' } })

/** The bar at the top of a sheet, which shows that it can be pulled down. */
const handle = {
  content: '""',
  position: 'absolute' as const,
  top: 6,
  insetInline: 0,
  width: 36,
  height: 4,
  margin: '0 auto',
  borderRadius: 2,
  background: 'currentColor',
  opacity: 0.2,
  pointerEvents: 'none' as const,
  '@media (forced-colors: active)': { background: 'CanvasText', opacity: 1 },
}

/** Visible focus, buttons and selection in every theme, also with forced colours. */
const visible = {
  '& .MuiButton-colorPrimary:is(.MuiButton-text, .MuiButton-outlined)': { color: accent },
  '& .MuiButton-root:focus-visible': { outline: `2px solid ${accent}`, outlineOffset: 2 },
  '@media (forced-colors: active)': {
    // An outline, in case a theme sets a border.
    '& > [role=dialog]': { outline: '1px solid CanvasText', outlineOffset: -1 },
    '& .MuiButton-root:not(:focus-visible)': { outline: '1px solid ButtonText', outlineOffset: -1 },
    '& [aria-current][aria-current]': {
      '&, & *': { color: 'HighlightText', forcedColorAdjust: 'none' },
      background: 'Highlight',
    },
  },
}

const around = { ...script, ...visible }

type DialogFrameProps = {
  open: boolean
  onExited: () => void
  labelledBy: string
  describedBy: string
  width: number
  height?: number
  /** Full width, at the bottom of the screen. */
  isSheet?: boolean
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void
  children: ReactNode
}

/** Styles of the dialog itself: a box in the middle, or a sheet at the bottom. */
const createPaper = ({ width, height, isSheet }: Pick<DialogFrameProps, 'width' | 'height' | 'isSheet'>) => ({
  display: 'flex',
  flexDirection: 'row',
  overflow: 'hidden',
  width,
  ...(height !== undefined && { height }),
  maxWidth: 'calc(100vw - 24px)',
  maxHeight: 'calc(100dvh - 24px)',
  margin: '12px',
  '@media (prefers-reduced-motion: reduce)': {
    '&, & *, & *::before, & *::after': { animation: 'none !important', transition: 'none !important' },
  },
  ...(isSheet && {
    width: '100%',
    maxWidth: '100%',
    margin: 0,
    borderEndStartRadius: 0,
    borderEndEndRadius: 0,
    animation: `${rise} 200ms cubic-bezier(0.2, 0, 0, 1)`,
    '&::before': handle,
    paddingBottom: 'env(safe-area-inset-bottom)',
  }),
})

/** Renders the frame of every dialog: it has a name and a description, traps the focus, and closes on Esc and Back. */
export function DialogFrame({
  open,
  onExited,
  labelledBy,
  describedBy,
  width,
  height,
  isSheet,
  onKeyDown,
  children,
}: DialogFrameProps) {
  const kit = useWalletKit()
  const { locale } = useContext(LanguageContext)
  const language = { lang: locale, dir: directionOf(locale) }
  const variables = useVariables()
  const theme = useTheme()
  const accented = useMemo(() => accentStyles(theme), [theme])
  const pullDown = usePullToClose(kit.closeDialog)
  const { closeOnBack = 'phone', trapFocus, container } = useWalletKitContext()
  useCloseOnBack(open && (closeOnBack === 'always' || (closeOnBack === 'phone' && isOnPhone())), kit.closeDialog)
  const paper = useMemo(() => createPaper({ width, height, isSheet }), [width, height, isSheet])
  return (
    <Dialog
      ref={useUnlockWhileHidden()}
      sx={variables}
      open={open}
      onClose={kit.closeDialog}
      // `undefined` would replace MUI's own handler, which closes on Esc.
      {...(onKeyDown && { onKeyDown })}
      disableEnforceFocus={trapFocus === false}
      container={container}
      maxWidth={false}
      // Shown at once; only the backdrop fades in.
      transitionDuration={{ enter: 0, exit: 160 }}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      slotProps={{
        paper: {
          sx: [text, ...accented, paper],
          ...language,
          ...(isSheet && pullDown),
        },
        transition: { onExited },
        backdrop: { transitionDuration: 160 },
        // On the container, because styles of the paper are inserted twice, for MUI's two components.
        container: { sx: isSheet ? [around, { alignItems: 'flex-end' }] : around, ...language },
      }}
    >
      {children}
    </Dialog>
  )
}

/**
 * Returns a ref for a dialog's outermost element. While that is hidden, the page around it scrolls and is read again. An
 * app's boundary around the provider hides it when anything in the app suspends, but then MUI unlocks nothing.
 */
function useUnlockWhileHidden() {
  const ref = useRef<HTMLDivElement>(null)
  const lockAgain = useRef(() => {})
  // Of all effects, only layout effects end when React hides an element, and run again when it shows it.
  useLayoutEffect(() => {
    const styles = readScrolling()
    const others = readHidden(ref.current)
    lockAgain.current()
    return () => {
      const locked = readScrolling()
      const hidden = readHidden(ref.current).filter((element) => !others.includes(element))
      writeScrolling(styles)
      for (const element of hidden) element.removeAttribute('aria-hidden')
      lockAgain.current = () => {
        writeScrolling(locked)
        for (const element of hidden) element.setAttribute('aria-hidden', 'true')
      }
    }
  }, [])
  return ref
}

const scrolling = ['overflow', 'overflow-x', 'overflow-y', 'padding-right']

const readScrolling = () =>
  [document.documentElement, document.body].flatMap(({ style }) =>
    scrolling.map((name) => ({ style, name, value: style.getPropertyValue(name) })),
  )

const writeScrolling = (values: ReturnType<typeof readScrolling>) => {
  for (const { style, name, value } of values) style.setProperty(name, value)
}

/** Returns the elements beside the dialog that screen readers skip. */
const readHidden = (dialog: Element | null) =>
  [...(dialog?.parentElement?.children ?? [])].filter((one) => one !== dialog && one.ariaHidden === 'true')

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
      const isHead = target instanceof Element && target.closest('[data-pull]') && !target.closest('button')
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
