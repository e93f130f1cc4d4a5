import { useId } from 'react'
import { Button } from '../Button.tsx'
import { type DialogProps, PlainDialog } from '../dialog/PlainDialog.tsx'
import { useWalletKit, useWalletKitState } from '../hooks/useWalletKit.ts'
import { Icon } from '../icons/Icon.tsx'
import { useTranslate } from '../language.ts'
import * as Account from '../parts/Account.tsx'
import { useAccountState } from '../parts/Account.tsx'
import { AccountHeader } from './AccountHeader.tsx'
import { Transactions } from './Transactions.tsx'

/** Shows the connected account: full address, balance, transactions, Disconnect. */
export function AccountDialog(props: DialogProps) {
  return (
    <Account.Root>
      <Content {...props} />
    </Account.Root>
  )
}

function Content(props: DialogProps) {
  const { config } = useWalletKit()
  const { copyState, explorer } = useAccountState()
  const t = useTranslate()
  return (
    <PlainDialog
      {...props}
      title={t('account')}
      statusId={useId()}
      description={t('accountDescription')}
      status={copyState === 'idle' ? undefined : t(copyState === 'copied' ? 'copied' : 'copyFailed')}
    >
      <div className="wk-account wk-own" tabIndex={-1}>
        <AccountHeader />
        <Account.Address className="wk-full-address wk-own">
          {(groups) =>
            groups.map((group, index) => (
              <b className="wk-address-group wk-own" key={`${index}${group}`}>
                {group}
              </b>
            ))
          }
        </Account.Address>
        {copyState === 'failed' && <p className="wk-failure wk-own">{t('copyFailed')}</p>}
        <div className="wk-account-actions wk-own">
          <Account.Copy
            render={
              <Button
                variant="outlined"
                color="inherit"
                startIcon={<Icon name={copyState === 'copied' ? 'check' : 'copy'} size={18} />}
              />
            }
          />
          <Account.Disconnect
            render={<Button variant="outlined" color="inherit" startIcon={<Icon name="leave" size={18} />} />}
          />
        </div>
        {config.authentication && <SessionRow />}
        <Transactions />
        <Account.Explorer className="wk-explorer wk-own">
          <span className="wk-own">{t('viewOnExplorer', { explorer: explorer?.name ?? '' })}</span>
          <Icon name="external" size={16} />
        </Account.Explorer>
      </div>
    </PlainDialog>
  )
}

/** Shows whether the account is signed in, with a button to sign in or out. */
function SessionRow() {
  const { hasSignOutFailed } = useAccountState()
  const isSignedIn = useWalletKitState(({ session }) => session !== undefined)
  const t = useTranslate()
  return (
    <>
      <div className="wk-session wk-own">
        <span className="wk-own">{t(isSignedIn ? 'signedIn' : 'notSignedIn')}</span>
        <Account.Session render={<Button color={isSignedIn ? 'inherit' : 'primary'} />} />
      </div>
      {hasSignOutFailed && (
        <p className="wk-failure wk-own" role="alert">
          {t('signOutFailed')}
        </p>
      )}
    </>
  )
}
