import { Button } from '../Button.tsx'
import { VisuallyHidden } from '../dialog/dialogParts.tsx'
import { useAccountBalance } from '../hooks/useAccountBalance.ts'
import { useName } from '../hooks/useName.ts'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { Avatar } from '../icons/Avatar.tsx'
import { useTranslate } from '../language.ts'
import * as Account from '../parts/Account.tsx'
import { useAccountState } from '../parts/Account.tsx'

/**
 * Shows avatar, name and balance of the account. On an unsupported chain, shows a button to switch instead of the
 * balance.
 */
export function AccountHeader() {
  const { openNetworkDialog } = useWalletKit()
  const { address, isSupportedChain } = useAccountState()
  const t = useTranslate()
  const { avatar } = useName({ address })
  return (
    <div className="wk-account-header wk-own">
      <Avatar address={address} avatar={avatar} size={64} />
      <Account.Name className="wk-account-name wk-own" />
      {isSupportedChain ? (
        <Balance />
      ) : (
        <p className="wk-wrong-network wk-own">
          <span className="wk-own">{t('wrongNetworkText')}</span>
          <Button size="small" onClick={openNetworkDialog}>
            {t('switchNetworks')}
          </Button>
        </p>
      )}
    </div>
  )
}

/** Shows the balance, or the reason why it could not be read. */
function Balance() {
  const { status, displayBalance, refresh } = useAccountBalance()
  const t = useTranslate()
  const problem = status === 'failed' ? t('balanceFailed') : status === 'stale' ? t('balanceStale') : undefined
  return (
    <>
      <Account.Balance className="wk-balance wk-own">
        <VisuallyHidden>{t('balance')}</VisuallyHidden>
        {displayBalance && (
          <bdi className="wk-own" translate="no" dir="ltr">
            {displayBalance}
          </bdi>
        )}
        {status === 'loading' && !displayBalance && (
          <span className="wk-balance-loading wk-own" role="img" aria-label={t('balanceLoading')} />
        )}
      </Account.Balance>
      {problem && (
        <span className="wk-balance-problem wk-own">
          <span className="wk-own">{problem}</span>
          <Button size="small" onClick={refresh}>
            {t('retry')}
          </Button>
        </span>
      )}
    </>
  )
}
