import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { use, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { DemoWalletContext } from './DemoWalletContext.ts'
import { LazyBoundary } from './LazyBoundary.tsx'
import { lazyWithPreload } from './lazyWithPreload.tsx'
import { menuContainer } from './menuContainer.ts'
import { useConfig } from './useConfig.ts'

const Popover = lazyWithPreload(() => import('@mui/material/Popover'))

/** Marks demo data; a click explains it and opens the demo wallet. */
export function DemoBadge() {
  const { t } = useTranslation()
  const { data: config } = useConfig()
  const openWallet = use(DemoWalletContext)
  const id = useId()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  if (!config?.demo) return null
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
      {anchor && (
        <LazyBoundary onError={() => setAnchor(null)}>
          <Popover
            open
            container={menuContainer}
            anchorEl={anchor}
            onClose={() => setAnchor(null)}
            anchorOrigin={{ vertical: 'bottom', horizontal: 'center' }}
            transformOrigin={{ vertical: -8, horizontal: 'center' }}
            slotProps={{ paper: { role: 'dialog', 'aria-labelledby': id } }}
          >
            <Text>
              <h2 id={id}>{t('demo.mark')}</h2>
              <p>{t('demo.text')}</p>
              <p>{t('demo.wallet')}</p>
              {openWallet && (
                <Button
                  variant="outlined"
                  onClick={() => {
                    // Return the focus to the badge first, so that the wallet window returns it there when it closes.
                    flushSync(() => setAnchor(null))
                    openWallet()
                  }}
                >
                  {t('demo.open')}
                </Button>
              )}
            </Text>
          </Popover>
        </LazyBoundary>
      )}
    </>
  )
}

const Mark = styled('button')(({ theme }) => ({
  flex: 'none',
  minHeight: 32,
  padding: '0 8px',
  border: `1px dashed ${theme.vars?.palette.warning.main}`,
  background: 'none',
  color: theme.vars?.palette.warning.main,
  font: 'inherit',
  fontSize: '0.75rem',
  cursor: 'pointer',
}))

const Text = styled('div')(({ theme }) => ({
  maxWidth: 320,
  padding: '16px 20px',
  '& h2': { ...theme.typography.h2, margin: '0 0 6px' },
  '& button': { marginTop: 8 },
  '& p': { margin: '0 0 6px', fontSize: '0.8125rem', color: theme.vars?.palette.text.secondary },
}))
