import { ConnectButton, WalletKitProvider } from '@lineage/wallet-kit'
import { styled } from '@mui/material/styles'
import { useTranslation } from 'react-i18next'
import { useKit } from '../../lib/wallet.ts'

/** The kit's button and dialogs; their place is kept until the kit is there. */
export function Connect() {
  const kit = useKit()
  const { i18n } = useTranslation()
  if (!kit) return <Place aria-hidden />
  return (
    <WalletKitProvider kit={kit} locale={i18n.language}>
      <ConnectButton />
    </WalletKitProvider>
  )
}

const Place = styled('span')(({ theme }) => ({
  flex: 'none',
  width: 140,
  '@media (min-width: 768px)': { width: 236 },
  height: 44,
  background: theme.vars?.palette.divider,
}))
