import CloseIcon from '@mui/icons-material/CloseOutlined'
import { styled } from '@mui/material/styles'
import { useEffect, useEffectEvent, useId, useState, useSyncExternalStore } from 'react'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { Button, IconButton } from '../frame/Button.tsx'
import { Dialog } from '../frame/layers.tsx'
import { AddressProblem } from './AddressProblem.tsx'
import { parseAddress } from './parseAddress.ts'
import { type ScanState, scanQrCode } from './scanQrCode.ts'

type Props = { onClose: () => void; onText: (text: string) => void }

const retryable: readonly ScanState['kind'][] = ['refused', 'absent', 'busy', 'failed']

/** Shows the camera and the state of the scan. The camera is on only while the dialog is visible. */
export default function ScanDialog({ onClose, onText }: Props) {
  const { t } = useLazyTranslation('search')
  const { t: common } = useTranslation()
  const id = useId()
  // A state, not a ref: the dialog mounts its content later.
  const [video, setVideo] = useState<HTMLVideoElement | null>(null)
  const isVisible = useSyncExternalStore(subscribeToVisibility, () => document.visibilityState === 'visible')
  const [state, setState] = useState<ScanState>({ kind: 'asking' })
  const [attempt, setAttempt] = useState(0)
  const take = useEffectEvent(onText)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt begins anew
  useEffect(() => {
    if (!isVisible || !video) return
    const ended = new AbortController()
    const { signal } = ended
    void scanQrCode({ video, onState: (next) => signal.aborted || setState(next), signal }).then(
      (text) => signal.aborted || text === undefined || take(text),
    )
    return () => ended.abort()
  }, [video, isVisible, attempt])

  // Codes for wallets and keys are secret.
  const foreign = (text: string) => {
    const parsed = parseAddress(text)
    const isUnknown = parsed.kind === 'notAddress' || parsed.kind === 'empty'
    return isUnknown ? t('scan.foreign', { text: shortenCode(text) }) : <AddressProblem parsed={parsed} asked />
  }
  const isRunning = isVisible && !retryable.includes(state.kind)
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby={id} aria-describedby={`${id}-state`}>
      <Head>
        <h2 id={id}>{t('scan.title')}</h2>
        <IconButton aria-label={t('scan.close')} title={t('scan.close')} onClick={onClose} edge="end">
          <CloseIcon fontSize="small" />
        </IconButton>
      </Head>
      <Picture data-running={isRunning}>
        <video ref={setVideo} muted playsInline aria-label={t('scan.view')} />
        <i aria-hidden />
      </Picture>
      <Below>
        <p id={`${id}-state`} role="status" data-wrong={!isRunning || state.kind === 'foreign'}>
          {!isVisible ? t('scan.hidden') : state.kind === 'foreign' ? foreign(state.text) : t(`scan.${state.kind}`)}
        </p>
        {retryable.includes(state.kind) && (
          <Button variant="outlined" onClick={() => setAttempt(attempt + 1)}>
            {common('failure.retry')}
          </Button>
        )}
      </Below>
    </Dialog>
  )
}

function subscribeToVisibility(listener: () => void) {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** Shortens the text of a scanned code and removes invisible and bidirectional control characters. */
const shortenCode = (text: string) => {
  const plain = text.replace(/[\p{C}\s]+/gu, ' ').trim()
  return plain.length > 60 ? `${plain.slice(0, 59)}…` : plain
}

const Head = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  padding: '10px 16px 10px 24px',
  '& h2': { ...theme.typography.h2, margin: 0 },
  '& button': { width: 44, height: 44 },
}))

const Picture = styled('div')({
  position: 'relative',
  aspectRatio: '1',
  overflow: 'hidden',
  background: '#0B0D10',
  '& video': { width: '100%', height: '100%', objectFit: 'cover', display: 'block' },
  '&[data-running="false"] video': { visibility: 'hidden' },
  // Four corners that frame the code.
  '& i': {
    position: 'absolute',
    inset: '16%',
    background: [
      'left 0 top 0 / 26px 2px',
      'left 0 top 0 / 2px 26px',
      'right 0 top 0 / 26px 2px',
      'right 0 top 0 / 2px 26px',
      'left 0 bottom 0 / 26px 2px',
      'left 0 bottom 0 / 2px 26px',
      'right 0 bottom 0 / 26px 2px',
      'right 0 bottom 0 / 2px 26px',
    ]
      .map((place) => `linear-gradient(#fff, #fff) ${place} no-repeat`)
      .join(', '),
    filter: 'drop-shadow(0 0 2px rgba(0, 0, 0, 0.6))',
  },
  '&[data-running="false"] i': { opacity: 0.35 },
})

const Below = styled('div')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'flex-start',
  gap: 12,
  // Two lines in every state, so that nothing jumps.
  minHeight: 92,
  padding: '14px 24px 20px',
  '& p': {
    minHeight: '3.2em',
    margin: 0,
    fontSize: '0.875rem',
    lineHeight: 1.6,
    overflowWrap: 'anywhere',
    color: theme.vars?.palette.text.secondary,
  },
  '& p[data-wrong="true"]': { color: theme.vars?.palette.text.primary },
  '& button': { minHeight: 44 },
}))
