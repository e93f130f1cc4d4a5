import { styled } from '@mui/material/styles'
import type { Address } from 'viem'
import { formatAddress, formatName } from '../../core/lib/format.ts'
import { Button } from '../Button.tsx'
import { useName } from '../hooks/useName.ts'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { Avatar } from '../icons/Avatar.tsx'
import { useTranslate } from '../language/useTranslate.ts'
import { monospace } from '../theme/fonts.ts'
import { Balance } from './Balance.tsx'

type AccountHeaderProps = { address: Address; isSupportedChain: boolean }

/**
 * Shows avatar, name and balance of the account. On an unsupported chain, shows a button to switch instead of the
 * balance.
 */
export function AccountHeader({ address, isSupportedChain }: AccountHeaderProps) {
  const { openNetworkDialog } = useWalletKit()
  const t = useTranslate()
  const { name, avatar } = useName(address)
  return (
    <Header>
      <Avatar address={address} avatar={avatar} size={64} />
      <strong dir="auto" title={address} data-address={!name || undefined}>
        {name ? formatName(name) : formatAddress(address)}
      </strong>
      {isSupportedChain ? (
        <Balance />
      ) : (
        <Wrong>
          {t('wrongNetworkText')}
          <Button size="small" color="primary" onClick={openNetworkDialog}>
            {t('switchNetworks')}
          </Button>
        </Wrong>
      )}
    </Header>
  )
}

const Header = styled('div')({
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  '& strong': {
    marginTop: 12,
    maxWidth: '100%',
    overflowWrap: 'anywhere',
    fontSize: 20,
    lineHeight: '28px',
    fontWeight: 600,
    textAlign: 'center',
    '&[data-address]': { fontFamily: monospace },
  },
})

const Wrong = styled('p')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  margin: '4px 0 0',
  fontSize: 14,
  lineHeight: '21px',
  textAlign: 'center',
  textWrap: 'balance',
  color: (theme.vars ?? theme).palette.error.main,
  '& .MuiButton-root': { minHeight: 44 },
}))
