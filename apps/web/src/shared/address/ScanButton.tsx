import ScanIcon from '@mui/icons-material/QrCodeScannerOutlined'
import { useEffect, useState } from 'react'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { IconButton } from '../frame/Button.tsx'
import { lazyPart } from '../frame/ErrorBoundary.tsx'
import { canScan } from './scanQrCode.ts'

const ScanDialog = lazyPart(() => import('./ScanDialog.tsx'))

/** Opens the QR scanner; renders nothing where the browser cannot scan. */
export default function ScanButton({ onText }: { onText: (text: string) => void }) {
  const [isOffered, setIsOffered] = useState(false)
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    const ended = new AbortController()
    void canScan().then((can) => ended.signal.aborted || setIsOffered(can))
    return () => ended.abort()
  }, [])
  if (!isOffered) return null
  return (
    <>
      <OpenButton onClick={() => setIsOpen(true)} />
      {isOpen && (
        <ScanDialog
          onClose={() => setIsOpen(false)}
          onText={(text) => {
            setIsOpen(false)
            onText(text)
          }}
        />
      )}
    </>
  )
}

function OpenButton({ onClick }: { onClick: () => void }) {
  const { t } = useLazyTranslation('search')
  return (
    <IconButton aria-label={t('scan.open')} title={t('scan.open')} onClick={onClick}>
      <ScanIcon fontSize="small" />
    </IconButton>
  )
}
