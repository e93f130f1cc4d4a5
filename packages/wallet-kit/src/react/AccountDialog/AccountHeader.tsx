import { styled } from '@mui/material/styles'
import { useEffect } from 'react'
import type { Address } from 'viem'
import { formatAddress, formatName } from '../../core/lib/format.ts'
import { Button } from '../Button.tsx'
import { VisuallyHidden } from '../dialog/VisuallyHidden.ts'
import { useAccountBalance } from '../hooks/useAccountBalance.ts'
import { useName } from '../hooks/useName.ts'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { Avatar } from '../icons/Avatar.tsx'
import { useTranslate } from '../language.ts'
import { monospace } from '../theme/createWalletKitTheme.ts'

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
      <strong translate="no" dir="auto" title={address} data-address={!name || undefined}>
        {name ? formatName(name) : formatAddress(address)}
      </strong>
      {isSupportedChain ? (
        <Balance />
      ) : (
        <Wrong>
          <span>{t('wrongNetworkText')}</span>
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

/** Shows the balance, or the reason why it could not be read. Reads it again whenever the dialog opens. */
function Balance() {
  const { status, formatted, refresh } = useAccountBalance()
  const t = useTranslate()
  useEffect(refresh, [refresh])
  const problem = status === 'failed' ? t('balanceFailed') : status === 'stale' ? t('balanceStale') : undefined
  return (
    <>
      {status !== 'failed' && (
        <Amount aria-busy={status === 'loading' || undefined}>
          <VisuallyHidden>{t('balance')}</VisuallyHidden>
          {formatted ? (
            <bdi translate="no" dir="ltr">
              {formatted}
            </bdi>
          ) : (
            status === 'loading' && <Bar role="img" aria-label={t('balanceLoading')} />
          )}
        </Amount>
      )}
      {problem && (
        <Problem>
          <span>{problem}</span>
          <Button size="small" color="primary" onClick={refresh}>
            {t('retry')}
          </Button>
        </Problem>
      )}
    </>
  )
}

/** Keeps its height while the balance is loading. */
const Amount = styled('span')(({ theme }) => ({
  minHeight: 22,
  fontSize: 14,
  lineHeight: '22px',
  fontVariantNumeric: 'tabular-nums',
  color: (theme.vars ?? theme).palette.text.secondary,
}))

const Bar = styled('span')(({ theme }) => ({
  display: 'block',
  width: 80,
  height: 14,
  marginTop: 4,
  borderRadius: 4,
  background: (theme.vars ?? theme).palette.action.selected,
}))

const Problem = styled('span')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 4,
  fontSize: 13,
  color: (theme.vars ?? theme).palette.text.secondary,
  '& .MuiButton-root': { flex: 'none', minHeight: 44 },
}))
