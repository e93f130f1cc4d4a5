import type { WalletKitErrorName, WalletKitErrorType, WalletNotAvailableReason } from '../../core/lib/errors.ts'
import { parseUntrustedText } from '../../core/lib/untrusted.ts'
import type { ConnectingStep, OpeningStep } from '../../core/state/state.ts'
import type { WalletOption } from '../../core/wallets/wallet.ts'
import type { MessageKey } from '../../locales/en.ts'
import { findAppLink } from '../device/appLinks.ts'
import { canOpenLink, detectDevice, isOnPhone } from '../device/device.ts'
import type { Translate } from '../language.ts'

const errorTexts: Record<WalletKitErrorName, MessageKey> = {
  WalletKitError: 'errorUnknown',
  ConfigurationError: 'errorConfiguration',
  UserRejectedError: 'rejectedText',
  RequestPendingError: 'networkPending',
  WalletNotAvailableError: 'errorLocked',
  ChainError: 'errorChain',
  RelayUnreachableError: 'errorRelay',
  SignInError: 'errorUnknown',
  AbortedError: 'cancelledText',
}

/** Texts of the reasons of a `WalletNotAvailableError` for which unlocking the wallet does not help. */
const reasonTexts: Partial<Record<WalletNotAvailableReason, MessageKey>> = {
  notInstalled: 'errorNotAvailable',
  notReachable: 'errorNotAvailable',
  noAnswer: 'errorNoAnswer',
  offline: 'errorOffline',
}

const textOf = (error: WalletKitErrorType): MessageKey =>
  (error.name === 'WalletNotAvailableError' && reasonTexts[error.reason]) || errorTexts[error.name]

/** Returns whether `details` of an error with this name quotes the wallet. */
const isFromWallet = (name: WalletKitErrorName) => name !== 'RelayUnreachableError' && name !== 'ConfigurationError'

/** Returns the texts for the state of an attempt to connect. `detail` quotes the wallet's error, for support. */
export function connectingTexts(
  step: ConnectingStep,
  wallet: Pick<WalletOption, 'id' | 'name' | 'kind' | 'relayLinks'>,
  t: Translate,
): { title: string; text: string; detail?: string } {
  const variables = { wallet: wallet.name }
  switch (step.phase) {
    case 'opening':
      if (usesRelay(step, wallet)) return isOnPhone() ? openAppTexts(step, wallet, t) : scanTexts(step, wallet, t)
      return textsOf('opening', wallet, t)
    case 'alreadyOpen':
    case 'rejected':
      return textsOf(step.phase, wallet, t)
    case 'cancelled':
      return { title: t('rejected', variables), text: t('cancelledText') }
    case 'failed': {
      const { name, details } = step.error
      const reason = parseUntrustedText(details, 160)
      return {
        title: t('failed', variables),
        text: t(textOf(step.error), variables),
        ...(reason && { detail: isFromWallet(name) ? t('errorDetail', { detail: reason }) : reason }),
      }
    }
  }
}

/** Returns the texts of a state that are named after it. */
function textsOf(
  key: 'opening' | 'alreadyOpen' | 'rejected' | 'preparing' | 'appUnreachable',
  { name: wallet }: Pick<WalletOption, 'name'>,
  t: Translate,
) {
  return { title: t(key, { wallet }), text: t(`${key}Text`, { wallet }) }
}

/** Returns whether the wallet is reached over the relay, by a QR code or on a phone by a link. */
export function usesRelay(step: ConnectingStep, { kind }: Pick<WalletOption, 'kind'>): step is OpeningStep {
  return step.phase === 'opening' && (step.uri !== undefined || kind === 'walletConnect')
}

function openAppTexts(
  { uri, declined }: OpeningStep,
  wallet: Pick<WalletOption, 'id' | 'name' | 'relayLinks'>,
  t: Translate,
) {
  if (!uri) return textsOf('preparing', wallet, t)
  if (leadsToChoice(wallet)) return { title: t('connectAWallet'), text: t('chooseWallet') }
  if (!findAppLink(wallet.relayLinks, uri, detectDevice())) return textsOf('appUnreachable', wallet, t)
  const variables = { wallet: wallet.name }
  return { title: t('opening', variables), text: t(declined ? 'openAgainText' : 'openAppText', variables) }
}

/** Returns whether the wallet stands for any app on this phone, so that the person chooses one. */
export const leadsToChoice = ({ id }: Pick<WalletOption, 'id'>) =>
  id === 'walletConnect' && canOpenLink('https://', detectDevice())

/** Returns the texts of a QR code. `WalletConnect` means any wallet that can scan it. */
function scanTexts({ uri, declined }: OpeningStep, { id, name }: Pick<WalletOption, 'id' | 'name'>, t: Translate) {
  const isAny = id === 'walletConnect'
  const text = isAny ? 'scanTextPhone' : 'scanText'
  return {
    title: t(isAny ? 'scanWithPhone' : 'scanWith', { wallet: name }),
    text: t(!uri ? 'qrCodePreparing' : declined ? 'scanAgain' : text, { wallet: name }),
  }
}
