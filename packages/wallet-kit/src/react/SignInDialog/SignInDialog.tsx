import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useId, useState } from 'react'
import { formatAddress } from '../../core/format.ts'
import type { SignInStep } from '../../core/signInSteps.ts'
import { Identicon } from '../Identicon.tsx'
import { PlainDialog } from '../PlainDialog.tsx'
import { useConnection } from '../useConnection.ts'
import { useTranslate } from '../useTranslate.ts'
import { useWalletKit } from '../useWalletKit.ts'
import { describeSignIn } from './describeSignIn.ts'
import { SignButton } from './SignButton.tsx'

export type SignInDialogProps = { open: boolean; onExited: () => void; step: SignInStep }

/** Has the person prove that the account is theirs. */
export function SignInDialog({ open, onExited, step }: SignInDialogProps) {
  const kit = useWalletKit()
  const t = useTranslate()
  const connection = useConnection()
  const statusId = useId()
  // What closes the dialog may end the connection; it fades out as it was.
  const [who, setWho] = useState(connection)
  if (connection.address && connection !== who) setWho(connection)

  const { status, outcome, tone } = describeSignIn(step, who.wallet?.name ?? '', t)
  return (
    <PlainDialog open={open} onExited={onExited} title={t('verifyAccount')} statusId={statusId} status={status}>
      <Body>
        {who.address && (
          <>
            <Avatar address={who.address} size={64} />
            <Address title={who.address}>{formatAddress(who.address)}</Address>
          </>
        )}
        <Text>{step.name === 'wrongNetwork' ? t('wrongNetworkText') : t('verifyAccountText')}</Text>
        <Outcome data-tone={tone}>{outcome}</Outcome>
        <Actions>
          <SignButton step={step} wallet={who.wallet} describedBy={statusId} />
          {step.name === 'wrongNetwork' ? (
            <Button color="inherit" onClick={() => void kit.disconnect()}>
              {t('disconnect')}
            </Button>
          ) : (
            <Button color="inherit" onClick={kit.closeDialog}>
              {t('cancel')}
            </Button>
          )}
        </Actions>
      </Body>
    </PlainDialog>
  )
}

const Body = styled('div')({
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  overflowY: 'auto',
  overscrollBehavior: 'contain',
  padding: '8px 20px 20px',
  textAlign: 'center',
})

const Avatar = styled(Identicon)({ borderRadius: '50%' })

const Address = styled('strong')({
  marginTop: 12,
  fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSize: 18,
  lineHeight: '26px',
  fontWeight: 600,
})

const Text = styled('p')({ margin: '12px 0 0', fontSize: 15, lineHeight: '23px', textWrap: 'balance' })

/** Its place is kept: what is said of a try moves nothing. */
const Outcome = styled('p')(({ theme }) => ({
  display: 'grid',
  alignContent: 'center',
  margin: '8px 0 12px',
  minHeight: 40,
  fontSize: 13,
  lineHeight: '20px',
  textWrap: 'balance',
  color: (theme.vars ?? theme).palette.text.secondary,
  '&[data-tone=error]': { color: (theme.vars ?? theme).palette.error.main },
}))

const Actions = styled('div')({
  display: 'grid',
  gap: 8,
  width: '100%',
  '& .MuiButton-root': { minHeight: 44 },
})
