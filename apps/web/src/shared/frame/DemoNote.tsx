import { styled } from '@mui/material/styles'
import { useId } from 'react'
import { flushSync } from 'react-dom'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { Button } from './Button.tsx'
import { menuContainer } from './controls.tsx'
import { Popover } from './layers.tsx'

type Props = {
  anchor: HTMLElement
  onClose: () => void
  /** `undefined` until the wallet is loaded. */
  openWallet: (() => void) | undefined
}

/** Explains demo data below its mark, and opens the demo wallet. */
export default function DemoNote({ anchor, onClose, openWallet }: Props) {
  const { t } = useLazyTranslation('demo')
  const { t: common } = useTranslation()
  const id = useId()
  return (
    <Popover
      open
      container={menuContainer}
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'center' }}
      transformOrigin={{ vertical: -8, horizontal: 'center' }}
      slotProps={{ paper: { role: 'dialog', 'aria-labelledby': id } }}
    >
      <Text>
        <h2 id={id}>{common('demo.mark')}</h2>
        <p>{t('demo.text')}</p>
        <p>{t('demo.wallet')}</p>
        {openWallet && (
          <Button
            variant="outlined"
            onClick={() => {
              // Return the focus to the badge first, so that the wallet window returns it there when it closes.
              flushSync(onClose)
              openWallet()
            }}
          >
            {t('demo.open')}
          </Button>
        )}
      </Text>
    </Popover>
  )
}

const Text = styled('div')(({ theme }) => ({
  maxWidth: 320,
  padding: '16px 20px',
  '& h2': { ...theme.typography.h2, margin: '0 0 6px' },
  '& button': { marginTop: 8 },
  '& p': { margin: '0 0 6px', fontSize: '0.8125rem', color: theme.vars?.palette.text.secondary },
}))
