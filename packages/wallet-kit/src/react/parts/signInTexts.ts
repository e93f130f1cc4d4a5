import { type SignInStage, toWalletKitError } from '../../core/lib/errors.ts'
import { parseUntrustedText } from '../../core/lib/untrusted.ts'
import type { SignInStep } from '../../core/state/state.ts'
import type { MessageKey } from '../../locales/en.ts'
import type { Translate } from '../language.ts'
import { reasonTexts, switchTexts } from './Network.tsx'

const stageTexts: Record<SignInStage, MessageKey> = {
  preparing: 'errorPreparing',
  signing: 'errorSigning',
  mismatch: 'errorMismatch',
  verifying: 'errorVerifying',
  generic: 'errorGeneric',
}

/** Returns the texts for a step of signing in. A rejection by the person has no error text. */
export function signInTexts(
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
      const text = t(stageTexts[error.stage])
      if (error.stage !== 'signing') return failed(text)
      const { name, details } = toWalletKitError(error.cause)
      if (name === 'RequestPendingError') return failed(t('networkPending'))
      const detail = parseUntrustedText(details, 160)
      return failed(text, detail && t('errorDetail', { detail }))
    }
  }
}

/** Returns the texts of a failure, without the sentences that are empty. */
function failed(...sentences: string[]) {
  const outcome = sentences.filter(Boolean).join(' ')
  return { status: outcome, outcome, tone: 'error' as const }
}
