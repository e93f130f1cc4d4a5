import { useId } from 'react'
import { type SignInStage, toWalletKitError } from '../../core/lib/errors.ts'
import { formatAddress } from '../../core/lib/format.ts'
import { findInitialChain } from '../../core/state/config.ts'
import type { SignInStep } from '../../core/state/state.ts'
import type { MessageKey } from '../../locales/en.ts'
import { Button } from '../Button.tsx'
import { PlainDialog, useWhileOpen } from '../dialog/PlainDialog.tsx'
import { useName } from '../hooks/useName.ts'
import { useCanSwitchTo, useWalletConnection } from '../hooks/useWalletConnection.ts'
import { useWalletKit, useWalletKitState } from '../hooks/useWalletKit.ts'
import { Avatar } from '../icons/Avatar.tsx'
import { type Translate, useTranslate } from '../language.ts'
import { reasonTexts, switchTexts } from '../NetworkDialog/NetworkDialog.tsx'
import { SignButton } from './SignButton.tsx'

const preparing: SignInStep = { name: 'preparing' }

/** Asks the person to sign a message that proves the account is theirs. */
export function SignInDialog({ open, onExited }: { open: boolean; onExited: () => void }) {
  const kit = useWalletKit()
  const t = useTranslate()
  const connection = useWalletConnection()
  const { address, wallet } = useWhileOpen(connection.address !== undefined, connection)
  const { avatar } = useName(address)
  const signIn = useWalletKitState((state) => state.signIn)
  const step = useWhileOpen(signIn !== undefined, signIn ?? preparing)
  const isSwitching = useWalletKitState(
    (state) => state.switching !== undefined && state.signIn?.name === 'wrongNetwork',
  )
  const statusId = useId()
  const request = kit.config.authentication?.required ? 'verifyAccountText' : 'verifyAccountOptional'
  const canSwitch = useCanSwitchTo()(findInitialChain(kit.config).id)
  const { status, outcome, tone } = signInTexts(
    step,
    { wallet: wallet?.name ?? '', isSwitching, request, canSwitch },
    t,
  )
  return (
    <PlainDialog open={open} onExited={onExited} title={t('verifyAccount')} statusId={statusId} status={status}>
      <div className="wk-sign-in wk-own">
        {address && (
          <>
            <Avatar address={address} avatar={avatar} size={64} />
            <strong className="wk-sign-in-address wk-own" translate="no" title={address}>
              {formatAddress(address)}
            </strong>
          </>
        )}
        <p className="wk-sign-in-text wk-own">{step.name === 'wrongNetwork' ? t('wrongNetworkText') : t(request)}</p>
        <p className="wk-sign-in-outcome wk-own" data-tone={tone}>
          {outcome}
        </p>
        <div className="wk-sign-in-actions wk-own">
          <SignButton step={step} isSwitching={isSwitching} wallet={wallet} describedBy={statusId} />
          {step.name === 'wrongNetwork' ? (
            <Button color="inherit" onClick={() => void kit.disconnect()}>
              {t('disconnect')}
            </Button>
          ) : (
            <Button color="inherit" onClick={kit.closeDialog}>
              {t('cancel')}
            </Button>
          )}
        </div>
      </div>
    </PlainDialog>
  )
}

const stageTexts: Record<SignInStage, MessageKey> = {
  preparing: 'errorPreparing',
  signing: 'errorSigning',
  mismatch: 'errorMismatch',
  verifying: 'errorVerifying',
  generic: 'errorGeneric',
}

/** Returns the texts for a step of signing in. A rejection by the person has no error text. */
function signInTexts(
  step: SignInStep,
  {
    wallet,
    isSwitching,
    request,
    canSwitch,
  }: { wallet: string; isSwitching: boolean; request: MessageKey; canSwitch: boolean },
  t: Translate,
): { status: string; outcome?: string; tone?: 'error' } {
  switch (step.name) {
    case 'wrongNetwork': {
      if (isSwitching) return { status: t('confirmInWallet') }
      const warning = t('wrongNetworkText')
      const limit = canSwitch ? undefined : t('networkUnsupported')
      const name = step.error?.name === 'AbortedError' ? undefined : step.error?.name
      if (!name) return limit ? { status: `${warning} ${limit}`, outcome: limit } : { status: warning }
      const reason = step.error?.name === 'ChainError' ? step.error.reason : undefined
      const outcome = t(reasonTexts[reason ?? ''] ?? switchTexts[name] ?? 'networkFailed')
      return { status: outcome, outcome, ...(name !== 'UserRejectedError' && { tone: 'error' }) }
    }
    case 'signing': {
      const status = t('waitingForSignatureText', { wallet })
      return { status, outcome: status }
    }
    case 'verifying':
      return { status: t('verifyingSignature') }
    case 'preparing':
    case 'unprepared':
    case 'idle': {
      const { error } = step
      if (!error) return { status: t(request), outcome: t('verifyAccountFree') }
      const isPending = error.stage === 'signing' && toWalletKitError(error.cause).name === 'RequestPendingError'
      const outcome = t(isPending ? 'networkPending' : stageTexts[error.stage])
      return { status: outcome, outcome, tone: 'error' }
    }
  }
}
