import ScanIcon from '@mui/icons-material/QrCodeScannerOutlined'
import IconButton from '@mui/material/IconButton'
import { lazy, useEffect, useState } from 'react'
import { useTexts } from '../../lib/useTexts.ts'
import { Later } from '../frame/Later.tsx'
import { canScan } from './scan.ts'

const ScanDialog = lazy(() => import('./ScanDialog.tsx'))

/** Reads an address through the camera, where the browser can. */
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
        <Later>
          <ScanDialog
            onClose={() => setIsOpen(false)}
            onText={(text) => {
              setIsOpen(false)
              onText(text)
            }}
          />
        </Later>
      )}
    </>
  )
}

function OpenButton({ onClick }: { onClick: () => void }) {
  const { t } = useTexts('search')
  return (
    <IconButton aria-label={t('scan.open')} title={t('scan.open')} onClick={onClick}>
      <ScanIcon fontSize="small" />
    </IconButton>
  )
}
