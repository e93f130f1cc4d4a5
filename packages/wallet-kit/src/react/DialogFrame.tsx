import Dialog from '@mui/material/Dialog'
import { keyframes, type Theme, useTheme } from '@mui/material/styles'
import { type KeyboardEvent, type ReactNode, useContext, useMemo } from 'react'
import { directionOf } from '../locales/translate.ts'
import { accent, accentStyles } from './accent.ts'
import { useKitContext } from './context.ts'
import { scriptFonts } from './scriptFonts.ts'
import { usePullDown } from './usePullDown.ts'
import { useReturnFocus } from './useReturnFocus.ts'
import { LanguageContext } from './useTranslate.ts'

/** All that a page may have set otherwise for its own text. */
const text = (theme: Theme) => ({
  fontFamily: theme.typography.fontFamily ?? 'inherit',
  fontSize: 15,
  lineHeight: 1.5,
  letterSpacing: 'normal',
  textAlign: 'start' as const,
})

/** What scripts ask for: room above and below for the marks of some, and pictures that point the way people read. */
const script = {
  ...scriptFonts,
  '&:is(:lang(th), :lang(hi)) :is(p, small, h3)': { lineHeight: 1.65 },
  '&[dir=rtl] svg[data-points]': { transform: 'scaleX(-1)' },
  '& .MuiButton-startIcon': { marginInline: '-4px 8px' },
}

const rise = keyframes({ from: { transform: 'translateY(32px)' } })

/** What a sheet can be pulled by; as a bar it says that it can. */
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

/** In every theme, and where a person has chosen the colours: where the focus is, what can be pressed, what is chosen. */
const visible = {
  '& .MuiButton-colorPrimary:is(.MuiButton-text, .MuiButton-outlined)': { color: accent },
  '& .MuiButton-root.Mui-focusVisible': { outline: `2px solid ${accent}`, outlineOffset: 2 },
  '@media (forced-colors: active)': {
    // Over the border that a theme may give it.
    '& > [role=dialog]': { outline: '1px solid CanvasText', outlineOffset: -1 },
    '& .MuiButton-root:not(.Mui-focusVisible)': { outline: '1px solid ButtonText', outlineOffset: -1 },
    '& [aria-current][aria-current]': {
      '&, & *': { color: 'HighlightText', forcedColorAdjust: 'none' },
      background: 'Highlight',
    },
  },
}

const around = { ...script, ...visible }

export type DialogFrameProps = {
  open: boolean
  onExited: () => void
  labelledBy: string
  describedBy: string
  width: number
  height?: number
  /** Full width, at the lower edge. */
  isSheet?: boolean
  /** Wherever in the dialog the focus is. */
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void
  children: ReactNode
}

/** What every dialog of the kit is: named and described, with focus kept in and given back, closed by Esc. */
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
  const { kit } = useKitContext()
  const { locale } = useContext(LanguageContext)
  const language = { lang: locale, dir: directionOf(locale) }
  const theme = useTheme()
  const accented = useMemo(() => accentStyles(theme), [theme])
  const returnFocus = useReturnFocus(open)
  const pullDown = usePullDown(kit.closeDialog)
  const exited = () => {
    returnFocus()
    onExited()
  }
  const paper = useMemo(
    () => ({
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
    }),
    [width, height, isSheet],
  )
  return (
    <Dialog
      open={open}
      onClose={kit.closeDialog}
      // Even `undefined` would take the place of MUI's own, which closes on Esc.
      {...(onKeyDown && { onKeyDown })}
      disableEnforceFocus={kit.config.trapFocus === false}
      container={kit.config.container}
      maxWidth={false}
      // There at once; what fades in is what lies between it and the page.
      transitionDuration={{ enter: 0, exit: 160 }}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      slotProps={{
        paper: {
          sx: [text, ...accented, paper],
          ...language,
          ...(isSheet && pullDown),
        },
        transition: { onExited: exited },
        backdrop: { transitionDuration: 160 },
        // What the paper has is written twice, since MUI's is one component within another.
        container: { sx: isSheet ? [around, { alignItems: 'flex-end' }] : around, ...language },
      }}
    >
      {children}
    </Dialog>
  )
}
