import { useId, useState } from 'react'
import { Button } from '../Button.tsx'
import { useCopy } from '../device/useCopy.ts'
import { PlainDialog, useWhileOpen } from '../dialog/PlainDialog.tsx'
import { useWalletConnection } from '../hooks/useWalletConnection.ts'
import { useWalletKit, useWalletKitState } from '../hooks/useWalletKit.ts'
import { Icon } from '../icons/Icon.tsx'
import { useTranslate } from '../language.ts'
import { AccountHeader } from './AccountHeader.tsx'
import { Transactions } from './Transactions.tsx'

/** Shows the connected account: full address, balance, transactions, Disconnect. */
export function AccountDialog({ open, onExited }: { open: boolean; onExited: () => void }) {
  const kit = useWalletKit()
  const t = useTranslate()
  const connection = useWalletConnection()
  const { address, chain, isSupportedChain } = useWhileOpen(connection.address !== undefined, connection)
  const statusId = useId()
  const { state: copyState, copy } = useCopy(address ?? '')
  if (!address) return null

  const explorer = chain?.blockExplorers?.default
  return (
    <PlainDialog
      open={open}
      onExited={onExited}
      title={t('account')}
      statusId={statusId}
      description={t('accountDescription')}
      status={copyState === 'idle' ? undefined : t(copyState === 'copied' ? 'copied' : 'copyFailed')}
    >
      <div className="wk-account wk-own">
        <AccountHeader address={address} isSupportedChain={isSupportedChain} />
        <FullAddress address={address} />
        {copyState === 'failed' && <p className="wk-failure wk-own">{t('copyFailed')}</p>}
        <div className="wk-account-actions wk-own">
          <Button
            variant="outlined"
            color="inherit"
            startIcon={<Icon name={copyState === 'copied' ? 'check' : 'copy'} size={18} />}
            onClick={copy}
          >
            {copyState === 'copied' ? t('copied') : t('copyAddress')}
          </Button>
          <Button
            variant="outlined"
            color="inherit"
            startIcon={<Icon name="leave" size={18} />}
            onClick={() => void kit.disconnect()}
          >
            {t('disconnect')}
          </Button>
        </div>
        {kit.config.authentication && <SignInRow />}
        <Transactions explorerUrl={explorer?.url} />
        {explorer && (
          <a
            className="wk-explorer wk-own"
            tabIndex={0}
            href={`${explorer.url}/address/${address}`}
            target="_blank"
            rel="noreferrer"
          >
            <span className="wk-own">{t('viewOnExplorer', { explorer: explorer.name })}</span>
            <Icon name="external" size={16} />
          </a>
        )}
      </div>
    </PlainDialog>
  )
}

/**
 * Shows the full address in groups of four, because look-alike addresses share only both ends. The gaps are margins,
 * not characters, so that a copied selection is the address itself.
 *
 * @see https://arxiv.org/abs/2501.16681
 */
function FullAddress({ address }: { address: string }) {
  const t = useTranslate()
  const groups = [address.slice(0, 2), ...(address.slice(2).match(/.{1,4}/g) ?? [])]
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <p className="wk-full-address wk-own" translate="no" dir="ltr" role="group" aria-label={t('fullAddress')}>
      {groups.map((group, index) => (
        <b className="wk-address-group wk-own" key={`${index}${group}`}>
          {group}
        </b>
      ))}
    </p>
  )
}

/** Shows whether the account is signed in, with a button to sign in or out. */
function SignInRow() {
  const t = useTranslate()
  // Does not use useSignIn: a hook shared by dialogs and the entry becomes part of every page.
  const { openSignInDialog, signOut } = useWalletKit()
  const session = useWalletKitState((state) => state.session)
  const [outcome, setOutcome] = useState<'none' | 'signOutFailed'>('none')
  return (
    <>
      <div className="wk-session wk-own">
        <span className="wk-own">{t(session ? 'signedIn' : 'notSignedIn')}</span>
        {session ? (
          <Button color="inherit" onClick={() => void signOut().catch(() => setOutcome('signOutFailed'))}>
            {t('signOut')}
          </Button>
        ) : (
          <Button color="primary" onClick={() => void openSignInDialog()}>
            {t('signIn')}
          </Button>
        )}
      </div>
      {outcome === 'signOutFailed' && (
        <p className="wk-failure wk-own" role="alert">
          {t('signOutFailed')}
        </p>
      )}
    </>
  )
}
