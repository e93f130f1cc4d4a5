import { styled } from '@mui/material/styles'
import { useId, useState } from 'react'
import { Button } from '../Button.tsx'
import { useCopy } from '../device/useCopy.ts'
import { PlainDialog, useWhileOpen } from '../dialog/PlainDialog.tsx'
import { useWalletConnection } from '../hooks/useWalletConnection.ts'
import { useWalletKit, useWalletKitState } from '../hooks/useWalletKit.ts'
import { Icon } from '../icons/Icon.tsx'
import { useTranslate } from '../language.ts'
import { accent } from '../theme/accent.ts'
import { monospace } from '../theme/createWalletKitTheme.ts'
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
      <Body>
        <AccountHeader address={address} isSupportedChain={isSupportedChain} />
        <FullAddress address={address} />
        {copyState === 'failed' && <Failure>{t('copyFailed')}</Failure>}
        <Actions>
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
        </Actions>
        {kit.config.authentication && <SignInRow />}
        <Transactions explorerUrl={explorer?.url} />
        {explorer && (
          <Explorer tabIndex={0} href={`${explorer.url}/address/${address}`} target="_blank" rel="noreferrer">
            <span>{t('viewOnExplorer', { explorer: explorer.name })}</span>
            <Icon name="external" size={16} />
          </Explorer>
        )}
      </Body>
    </PlainDialog>
  )
}

const Body = styled('div')({ overflowY: 'auto', overscrollBehavior: 'contain', padding: '0 20px 16px' })

const Failure = styled('p')(({ theme }) => ({
  margin: '0 0 12px',
  fontSize: 13,
  textAlign: 'center',
  color: (theme.vars ?? theme).palette.error.main,
}))

const Actions = styled('div')(({ theme }) => ({
  display: 'grid',
  // Side by side, unless the text is larger than usual.
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 9em), 1fr))',
  gap: 8,
  marginBottom: 12,
  '& .MuiButton-root': { minHeight: 44, paddingInline: 8, borderColor: (theme.vars ?? theme).palette.divider },
}))

const Explorer = styled('a')(({ theme }) => {
  const { palette } = theme.vars ?? theme
  return {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    minHeight: 44,
    marginTop: 8,
    fontSize: 14,
    color: accent,
    textDecoration: 'none',
    borderTop: `1px solid ${palette.divider}`,
    '&:focus-visible': { outline: `2px solid ${accent}`, outlineOffset: 2, borderRadius: 4 },
  }
})

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
    <Address translate="no" dir="ltr" role="group" aria-label={t('fullAddress')}>
      {groups.map((group, index) => (
        <b key={`${index}${group}`}>{group}</b>
      ))}
    </Address>
  )
}

/** Two lines of five groups, as wide as 0x, five groups and five gaps. */
const Address = styled('p')(({ theme }) => ({
  width: 'calc(22ch + 5 * 1.25ch + 1px)',
  maxWidth: '100%',
  margin: '0 auto',
  padding: '12px 0',
  fontFamily: monospace,
  fontSize: 14,
  lineHeight: '24px',
  textAlign: 'right',
  color: (theme.vars ?? theme).palette.text.primary,
  // Inline: a selection across blocks would contain line breaks.
  '& b': { display: 'inline-block', fontWeight: 400, marginLeft: '1.25ch' },
  '& b:first-of-type': { marginLeft: 0 },
}))

/** Shows whether the account is signed in, with a button to sign in or out. */
function SignInRow() {
  const t = useTranslate()
  // Does not use useSignIn: a hook shared by dialogs and the entry becomes part of every page.
  const { openSignInDialog, signOut } = useWalletKit()
  const session = useWalletKitState((state) => state.session)
  const [outcome, setOutcome] = useState<'none' | 'signOutFailed'>('none')
  return (
    <>
      <Row>
        <span>{t(session ? 'signedIn' : 'notSignedIn')}</span>
        {session ? (
          <Button color="inherit" onClick={() => void signOut().catch(() => setOutcome('signOutFailed'))}>
            {t('signOut')}
          </Button>
        ) : (
          <Button color="primary" onClick={() => void openSignInDialog()}>
            {t('signIn')}
          </Button>
        )}
      </Row>
      {outcome === 'signOutFailed' && <SignOutFailure role="alert">{t('signOutFailed')}</SignOutFailure>}
    </>
  )
}

const Row = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  minHeight: 52,
  marginBottom: 12,
  fontSize: 14,
  borderTop: `1px solid ${(theme.vars ?? theme).palette.divider}`,
  borderBottom: `1px solid ${(theme.vars ?? theme).palette.divider}`,
  '& .MuiButton-root': { minHeight: 44, marginInlineEnd: -8 },
}))

const SignOutFailure = styled('p')(({ theme }) => ({
  margin: '0 0 12px',
  fontSize: 13,
  lineHeight: '20px',
  color: (theme.vars ?? theme).palette.error.main,
}))
