import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { Button } from '../Button.tsx'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { useWalletKitState } from '../hooks/useWalletKitState.ts'
import { useTranslate } from '../language/useTranslate.ts'

/** Shows whether the account is signed in, with a button to sign in or out. */
export function SignInRow() {
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
      {outcome === 'signOutFailed' && <Failure role="alert">{t('signOutFailed')}</Failure>}
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

const Failure = styled('p')(({ theme }) => ({
  margin: '0 0 12px',
  fontSize: 13,
  lineHeight: '20px',
  color: (theme.vars ?? theme).palette.error.main,
}))
