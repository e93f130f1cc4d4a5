import { styled } from '@mui/material/styles'
import { useEffect, useState } from 'react'
import type { DemoWallet } from '../../demo/announceDemoWallet.ts'
import { useConfig } from '../../lib/api.ts'
import { useTranslation } from '../../lib/i18n.ts'
import { isConnectionStored } from '../../lib/storage.ts'
import { whenIdle } from '../../lib/takeOver.tsx'
import { hitArea } from '../../lib/theme.ts'
import { lazyPart } from './ErrorBoundary.tsx'
import { loadTwice } from './lazyWithPreload.tsx'

const DemoNote = lazyPart(() => import('./DemoNote.tsx'))

/** Marks demo data, and announces the demo wallet. A click explains the data and opens the wallet. */
export default function DemoBadge() {
  const { t } = useTranslation()
  const wallet = useDemoWallet()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const close = () => setAnchor(null)
  return (
    <>
      <Mark
        type="button"
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {t('demo.mark')}
      </Mark>
      {anchor && <DemoNote onError={close} anchor={anchor} onClose={close} openWallet={wallet?.openPanel} />}
    </>
  )
}

/** Announces the demo wallet once the page is idle. */
function useDemoWallet(): DemoWallet | undefined {
  const { data: config } = useConfig()
  const privateKeys = config?.demo?.privateKeys
  const rpcUrl = config?.rpcUrls[0]
  const [demoWallet, setDemoWallet] = useState<DemoWallet>()
  useEffect(() => {
    if (!privateKeys || !rpcUrl) return
    const announce = () =>
      void loadTwice(() => import('../../demo/announceDemoWallet.ts')).then(
        ({ announceDemoWallet }) =>
          setDemoWallet(announceDemoWallet({ privateKeys, rpcUrl: new URL(rpcUrl, window.location.origin).href })),
        (error: unknown) => console.error(error),
      )
    // A stored connection waits for its wallet.
    if (!isConnectionStored()) return whenIdle(announce)
    announce()
    return undefined
  }, [privateKeys, rpcUrl])
  return demoWallet
}

const Mark = styled('button')(({ theme }) => ({
  flex: 'none',
  ...hitArea('-6px 0'),
  minHeight: 32,
  padding: '0 8px',
  border: `1px dashed ${theme.vars?.palette.warning.main}`,
  background: 'none',
  color: theme.vars?.palette.warning.main,
  font: 'inherit',
  fontSize: '0.75rem',
  cursor: 'pointer',
}))
