import type { WalletKitErrorName } from '../../core/errors.ts'
import { toText } from '../../core/foreign.ts'
import type { ConnectingStep, OpeningStep } from '../../core/steps.ts'
import type { WalletOption } from '../../core/wallet.ts'
import type { MessageKey } from '../../locales/en.ts'
import { findAppLink } from '../findAppLink.ts'
import { detectDevice, isOnPhone } from '../platform.ts'
import type { Translate } from '../useTranslate.ts'

const errorTexts: Record<WalletKitErrorName, MessageKey> = {
  WalletKitError: 'errorUnknown',
  ConfigurationError: 'errorConfiguration',
  UserRejectedError: 'errorRejected',
  RequestPendingError: 'errorPending',
  WalletNotAvailableError: 'errorNotAvailable',
  ChainError: 'errorChain',
  RelayUnreachableError: 'errorRelay',
  SignInError: 'errorUnknown',
  AbortedError: 'rejectedText',
}

/** Of the others the details are not the wallet's words. */
const isWallets = (name: WalletKitErrorName) => name !== 'RelayUnreachableError' && name !== 'ConfigurationError'

/** What a try has come to, in the person's words. `detail` is what the wallet said, for whoever is asked for help. */
export function describeConnecting(
  step: ConnectingStep,
  wallet: Pick<WalletOption, 'id' | 'name' | 'installed' | 'kind' | 'relayLinks'>,
  t: Translate,
): { title: string; text: string; detail?: string } {
  const variables = { wallet: wallet.name }
  switch (step.phase) {
    case 'opening':
      if (isRelayed(step, wallet)) return isOnPhone() ? describeApp(step, wallet, t) : describeCode(step, wallet, t)
      return { title: t('opening', variables), text: t('openingText', variables) }
    case 'alreadyOpen':
      return { title: t('alreadyOpen', variables), text: t('alreadyOpenText', variables) }
    case 'rejected':
      return { title: t('rejected', variables), text: t('rejectedText', variables) }
    case 'failed': {
      const { name, details } = step.error
      const said = toText(details, 160)
      const isLocked = name === 'WalletNotAvailableError' && wallet.installed
      return {
        title: t('failed', variables),
        text: t(isLocked ? 'errorLocked' : errorTexts[name], variables),
        ...(said && { detail: isWallets(name) ? t('errorDetail', { detail: said }) : said }),
      }
    }
  }
}

/** Whether the wallet is reached over the relay: by a code, or on a phone by a link. */
export function isRelayed(step: ConnectingStep, { kind }: Pick<WalletOption, 'kind'>): step is OpeningStep {
  return step.phase === 'opening' && (step.uri !== undefined || kind === 'walletConnect')
}

function describeApp(
  { uri, declined }: OpeningStep,
  { name, relayLinks }: Pick<WalletOption, 'name' | 'relayLinks'>,
  t: Translate,
) {
  const variables = { wallet: name }
  if (uri && !findAppLink(relayLinks, uri, detectDevice()))
    return { title: t('appUnreachable', variables), text: t('appUnreachableText', variables) }
  if (!uri) return { title: t('preparing', variables), text: t('preparingText', variables) }
  return { title: t('opening', variables), text: t(declined ? 'openAgainText' : 'openAppText', variables) }
}

/** The wallet named WalletConnect stands for every wallet that speaks it. */
function describeCode({ uri, declined }: OpeningStep, { id, name }: Pick<WalletOption, 'id' | 'name'>, t: Translate) {
  const isAny = id === 'walletConnect'
  const text = isAny ? 'scanTextPhone' : 'scanText'
  return {
    title: t(isAny ? 'scanWithPhone' : 'scanWith', { wallet: name }),
    text: t(!uri ? 'qrCodePreparing' : declined ? 'scanAgain' : text, { wallet: name }),
  }
}
