import { type SignInStage, toWalletKitError, type WalletKitErrorName } from '../../core/errors.ts'
import type { SignInStep } from '../../core/signInSteps.ts'
import type { MessageKey } from '../../locales/en.ts'
import type { Translate } from '../useTranslate.ts'

const stageTexts: Record<SignInStage, MessageKey> = {
  preparing: 'errorPreparing',
  signing: 'errorSigning',
  verifying: 'errorVerifying',
  generic: 'errorGeneric',
}

const switchTexts: Partial<Record<WalletKitErrorName, MessageKey>> = {
  UserRejectedError: 'networkRejected',
  RequestPendingError: 'networkPending',
}

/** What signing in has come to, in the person's words. A refusal of their own is no error. */
export function describeSignIn(
  step: SignInStep,
  wallet: string,
  t: Translate,
): { status: string; outcome?: string; tone?: 'error' } {
  switch (step.name) {
    case 'wrongNetwork': {
      const status = t(step.switching ? 'confirmInWallet' : 'wrongNetworkText')
      const name = step.switching || step.error?.name === 'AbortedError' ? undefined : step.error?.name
      if (!name) return { status }
      const outcome = t(switchTexts[name] ?? 'networkFailed')
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
      if (!error) return { status: t('verifyAccountText'), outcome: t('verifyAccountFree') }
      const isPending = error.stage === 'signing' && toWalletKitError(error.cause).name === 'RequestPendingError'
      const outcome = t(isPending ? 'networkPending' : stageTexts[error.stage])
      return { status: outcome, outcome, tone: 'error' }
    }
  }
}
