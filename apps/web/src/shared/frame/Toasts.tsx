import CloseIcon from '@mui/icons-material/CloseOutlined'
import GlobalStyles from '@mui/material/GlobalStyles'
import { styled } from '@mui/material/styles'
import { type CustomContentProps, SnackbarProvider, useSnackbar } from 'notistack'
import { type PointerEvent, type ReactNode, type Ref, useEffect, useRef } from 'react'
import { useTranslation } from '../../lib/i18n.ts'
import { type Notices, takeNotices } from '../../lib/notices.ts'
import { barHeight } from '../../lib/theme.ts'
import { announce } from './Announcer.tsx'
import { IconButton } from './Button.tsx'

const components = { default: Toast, success: Toast, info: Toast, warning: Toast, error: Toast }

/** Shows notices as toasts at the top right, for five seconds each; errors twice as long. */
export default function Toasts({ notices }: { notices: Notices }) {
  return (
    <SnackbarProvider
      anchorOrigin={{ vertical: 'top', horizontal: 'right' }}
      autoHideDuration={5_000}
      maxSnack={3}
      Components={components}
    >
      {/* Below the top bar, so that toasts do not cover its buttons. */}
      <GlobalStyles styles={{ '.notistack-SnackbarContainer': { '&&': { top: barHeight + 6 } } }} />
      <Show notices={notices} />
    </SnackbarProvider>
  )
}

function Show({ notices }: { notices: Notices }) {
  const { enqueueSnackbar } = useSnackbar()
  useEffect(() => {
    const show = () => {
      for (const { text, tone, link } of takeNotices(notices)) {
        const action = link && (
          <a href={link.url} target="_blank" rel="noreferrer">
            {link.text}
          </a>
        )
        if (tone !== 'error') announce(text)
        enqueueSnackbar(<span>{text}</span>, {
          variant: tone,
          action,
          ...(tone === 'error' && { autoHideDuration: 10_000 }),
        })
      }
    }
    show()
    return notices.subscribe(show)
  }, [notices, enqueueSnackbar])
  return null
}

/** Fraction of its width a toast must be dragged to be dismissed. */
const dismissedAt = 0.8

/** Renders a toast. It closes after a while, by its button, or when dragged to either side. */
function Toast({ id, message, action, variant, style, ref }: CustomContentProps & { ref?: Ref<HTMLDivElement> }) {
  const { t } = useTranslation()
  const { closeSnackbar } = useSnackbar()
  const drag = useRef<{ pointer: number; from: number; width: number } | undefined>(undefined)

  const begin = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0 || (event.target as Element).closest('button, a')) return
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { pointer: event.pointerId, from: event.clientX, width: event.currentTarget.offsetWidth }
    event.currentTarget.dataset.drag = 'true'
  }
  const move = (event: PointerEvent<HTMLDivElement>) => {
    if (drag.current?.pointer !== event.pointerId) return
    const by = event.clientX - drag.current.from
    event.currentTarget.style.transform = `translateX(${by}px)`
    event.currentTarget.style.opacity = String(1 - Math.min(1, Math.abs(by) / drag.current.width) * 0.8)
  }
  const end = (event: PointerEvent<HTMLDivElement>) => {
    if (drag.current?.pointer !== event.pointerId) return
    const { from, width } = drag.current
    drag.current = undefined
    delete event.currentTarget.dataset.drag
    if (event.type === 'pointerup' && Math.abs(event.clientX - from) > width * dismissedAt) closeSnackbar(id)
    else {
      event.currentTarget.style.transform = ''
      event.currentTarget.style.opacity = ''
    }
  }

  return (
    <div ref={ref} style={style}>
      <Root
        role={variant === 'error' ? 'alert' : undefined}
        aria-atomic
        data-variant={variant}
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={end}
      >
        <i aria-hidden />
        <div>
          {message}
          {action as ReactNode}
        </div>
        <IconButton aria-label={t('toast.close')} onClick={() => closeSnackbar(id)}>
          <CloseIcon fontSize="small" />
        </IconButton>
      </Root>
    </div>
  )
}

const Root = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 12,
  width: 340,
  // As wide as the page on a phone, like the container.
  '@media (max-width: 599.95px)': { width: 'calc(100vw - 32px)' },
  minHeight: 52,
  boxSizing: 'border-box',
  padding: '6px 6px 6px 18px',
  borderRadius: 12,
  border: `1px solid ${theme.vars?.palette.divider}`,
  background: theme.vars?.palette.background.paper,
  color: theme.vars?.palette.text.primary,
  boxShadow: theme.shadows[1],
  fontSize: '0.875rem',
  lineHeight: 1.5,
  cursor: 'grab',
  userSelect: 'none',
  touchAction: 'pan-y',
  transition: 'transform 160ms ease-out, opacity 160ms ease-out',
  '&[data-drag]': { transition: 'none', cursor: 'grabbing' },
  '& i': { flex: 'none', width: 8, height: 8, borderRadius: '50%', background: theme.vars?.palette.text.primary },
  '&[data-variant="success"] i': { background: theme.vars?.palette.primary.main },
  '&[data-variant="warning"] i': { background: theme.vars?.palette.warning.main },
  '&[data-variant="error"] i': { background: theme.vars?.palette.error.main },
  '& > div': { flex: 1, minWidth: 0, whiteSpace: 'pre-line' },
  '& a': { display: 'block', width: 'fit-content', paddingBlock: 4, color: theme.vars?.palette.primary.main },
  '& button': { width: 40, height: 40, color: theme.vars?.palette.text.secondary },
}))
