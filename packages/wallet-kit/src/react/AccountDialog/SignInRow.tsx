import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { useSignIn } from '../useSignIn.ts'
import { useTranslate } from '../useTranslate.ts'

/** Whether this account is signed in, and the way to change that. */
export function SignInRow() {
  const t = useTranslate()
  const { session, open, signOut } = useSignIn()
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
          <Button color="primary" onClick={() => void open()}>
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
