import { useEffect } from 'react'
import type { Address } from 'viem'
import { formatAddress, formatName } from '../../core/lib/format.ts'
import { Button } from '../Button.tsx'
import { VisuallyHidden } from '../dialog/dialogParts.tsx'
import { useAccountBalance } from '../hooks/useAccountBalance.ts'
import { useName } from '../hooks/useName.ts'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { Avatar } from '../icons/Avatar.tsx'
import { useTranslate } from '../language.ts'

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
    <div className="wk-account-header wk-own">
      <Avatar address={address} avatar={avatar} size={64} />
      <strong
        className="wk-account-name wk-own"
        translate="no"
        dir="auto"
        title={address}
        data-address={!name || undefined}
      >
        {name ? formatName(name) : formatAddress(address)}
      </strong>
      {isSupportedChain ? (
        <Balance />
      ) : (
        <p className="wk-wrong-network wk-own">
          <span className="wk-own">{t('wrongNetworkText')}</span>
          <Button size="small" color="primary" onClick={openNetworkDialog}>
            {t('switchNetworks')}
          </Button>
        </p>
      )}
    </div>
  )
}

/** Shows the balance, or the reason why it could not be read. Reads it again whenever the dialog opens. */
function Balance() {
  const { status, formatted, refresh } = useAccountBalance()
  const t = useTranslate()
  useEffect(refresh, [refresh])
  const problem = status === 'failed' ? t('balanceFailed') : status === 'stale' ? t('balanceStale') : undefined
  return (
    <>
      {status !== 'failed' && (
        <span className="wk-balance wk-own" aria-busy={status === 'loading' || undefined}>
          <VisuallyHidden>{t('balance')}</VisuallyHidden>
          {formatted ? (
            <bdi className="wk-own" translate="no" dir="ltr">
              {formatted}
            </bdi>
          ) : (
            status === 'loading' && (
              <span className="wk-balance-loading wk-own" role="img" aria-label={t('balanceLoading')} />
            )
          )}
        </span>
      )}
      {problem && (
        <span className="wk-balance-problem wk-own">
          <span className="wk-own">{problem}</span>
          <Button size="small" color="primary" onClick={refresh}>
            {t('retry')}
          </Button>
        </span>
      )}
    </>
  )
}
