import GlobalStyles from '@mui/material/GlobalStyles'
import { SnackbarProvider, useSnackbar } from 'notistack'
import { useEffect } from 'react'
import { type Notices, takeNotices } from '../../lib/notices.ts'
import { barHeight } from '../../lib/theme.ts'
import { Toast } from './Toast.tsx'

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
        enqueueSnackbar(text, { variant: tone, action, ...(tone === 'error' && { autoHideDuration: 10_000 }) })
      }
    }
    show()
    return notices.subscribe(show)
  }, [notices, enqueueSnackbar])
  return null
}
