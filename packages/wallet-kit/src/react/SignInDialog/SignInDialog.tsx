import { useId, useState } from 'react'
import { Button } from '../Button.tsx'
import { type DialogProps, PlainDialog } from '../dialog/PlainDialog.tsx'
import { useName } from '../hooks/useName.ts'
import { Avatar } from '../icons/Avatar.tsx'
import { useTranslate } from '../language.ts'
import { useWasTrue } from '../parts/createPart.ts'
import * as SignIn from '../parts/SignIn.tsx'
import { useSignInState } from '../parts/SignIn.tsx'

/** Asks the person to sign a message that proves the account is theirs. */
export function SignInDialog(props: DialogProps) {
  return (
    <SignIn.Root>
      <Content {...props} />
    </SignIn.Root>
  )
}

function Content(props: DialogProps) {
  const { address, status, outcome } = useSignInState()
  const { avatar } = useName({ address })
  const t = useTranslate()
  const statusId = useId()
  // The dialog has just been described by it.
  const [first] = useState(status)
  const hasChanged = useWasTrue(status !== first)
  return (
    <PlainDialog
      {...props}
      title={t('verifyAccount')}
      statusId={statusId}
      description={status}
      status={hasChanged ? status : undefined}
    >
      <div className="wk-sign-in wk-own" tabIndex={-1}>
        {address && <Avatar address={address} avatar={avatar} size={64} />}
        <SignIn.Address className="wk-sign-in-address wk-own" />
        <SignIn.Text className="wk-sign-in-text wk-own" />
        <SignIn.Outcome className="wk-sign-in-outcome wk-own" />
        <div className="wk-sign-in-actions wk-own">
          <SignIn.Submit
            aria-describedby={hasChanged && outcome ? statusId : undefined}
            render={<Button variant="contained" />}
          />
          <SignIn.Cancel render={<Button color="inherit" />} />
        </div>
      </div>
    </PlainDialog>
  )
}
