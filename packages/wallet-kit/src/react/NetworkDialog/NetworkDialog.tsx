import { useId } from 'react'
import type { ChainError, WalletKitError, WalletKitErrorName } from '../../core/lib/errors.ts'
import { parseUntrustedText } from '../../core/lib/untrusted.ts'
import type { WalletKitChain } from '../../core/state/config.ts'
import type { WalletKit } from '../../core/WalletKit.ts'
import type { MessageKey } from '../../locales/en.ts'
import { PlainButton } from '../dialog/dialogParts.tsx'
import { arrowKeys } from '../dialog/focus.ts'
import { PlainDialog, useWhileOpen } from '../dialog/PlainDialog.tsx'
import { useCanSwitchTo, useWalletConnection } from '../hooks/useWalletConnection.ts'
import { useWalletKit, useWalletKitState } from '../hooks/useWalletKit.ts'
import { ChainIcon } from '../icons/ChainIcon.tsx'
import { Icon } from '../icons/Icon.tsx'
import { type Translate, useTranslate } from '../language.ts'

/** Texts of the errors whose text is sufficient without the wallet's own message. */
export const switchTexts: Partial<Record<WalletKitErrorName, MessageKey>> = {
  UserRejectedError: 'networkRejected',
  RequestPendingError: 'networkPending',
}

/** Texts of the reasons of a `ChainError`. */
export const reasonTexts: Partial<Record<string, MessageKey>> = {
  unsupported: 'networkUnsupported',
  notApproved: 'networkNotApproved',
}

/**
 * Returns the reason why the wallet did not switch; `detail` quotes the wallet. A wallet with some of the networks
 * refuses only the others.
 */
function switchErrorTexts(error: WalletKitError | undefined, hasSome: boolean, t: Translate) {
  if (!error || error.name === 'AbortedError') return undefined
  const { reason } = error as Partial<ChainError>
  const detail = switchTexts[error.name] || reason ? '' : parseUntrustedText(error.details, 160)
  const text = reason === 'unsupported' && hasSome ? undefined : reasonTexts[reason ?? '']
  return {
    text: t(text ?? switchTexts[error.name] ?? 'networkFailed'),
    detail: detail && t('errorDetail', { detail }),
  }
}

/** Lists the app's chains, marks the chain of the wallet, and switches to another one. */
export function NetworkDialog({ open, onExited }: { open: boolean; onExited: () => void }) {
  const kit = useWalletKit()
  const t = useTranslate()
  const { chainId, isSupportedChain } = useWalletConnection()
  const statusId = useId()
  const dialog = useWhileOpen(
    open,
    useWalletKitState((state) => state.dialog),
  )
  const error = dialog.name === 'network' ? dialog.error : undefined
  const switching = useWalletKitState((state) => state.switching)
  const warning = isSupportedChain ? undefined : t('wrongNetworkText')
  const canSwitchTo = useCanSwitchTo()
  const { chains } = kit.config
  const others = chains.filter(({ id }) => id !== chainId)
  const offered = others.filter(({ id }) => canSwitchTo(id))
  const limit = others.length > 0 && offered.length === 0 ? t('networkUnsupported') : undefined
  const failure = switchErrorTexts(error, offered.length > 0 && offered.length < others.length, t)
  return (
    <PlainDialog
      open={open}
      onExited={onExited}
      title={t('switchNetworks')}
      statusId={statusId}
      description={[warning, limit].filter(Boolean).join(' ') || t('networkDescription')}
      status={switching ? t('confirmInWallet') : failure?.text}
    >
      <div className="wk-networks wk-own">
        {warning && <p className="wk-network-warning wk-own">{warning}</p>}
        <ul className="wk-rows wk-own" {...arrowKeys}>
          {chains.map((chain) => (
            <ChainRow
              key={chain.id}
              chain={chain}
              isCurrent={chain.id === chainId}
              isOffered={canSwitchTo(chain.id)}
              switchingTo={switching?.chainId}
            />
          ))}
        </ul>
        <p
          className="wk-network-outcome wk-own"
          data-tone={failure && error?.name !== 'UserRejectedError' ? 'error' : undefined}
        >
          {!switching && <span className="wk-own">{failure?.text ?? limit}</span>}
          {!switching && failure?.detail && <small className="wk-network-detail wk-own">{failure.detail}</small>}
        </p>
        <PlainButton className="wk-row wk-network-disconnect" onClick={() => void kit.disconnect()}>
          <Icon name="leave" />
          <span className="wk-own">{t('disconnect')}</span>
        </PlainButton>
      </div>
    </PlainDialog>
  )
}

type ChainRowProps = {
  chain: WalletKitChain
  isCurrent: boolean
  /** `false` if the wallet was last known to refuse a switch to this chain. */
  isOffered: boolean
  switchingTo: number | undefined
}

function ChainRow({ chain, isCurrent, isOffered, switchingTo }: ChainRowProps) {
  const kit: WalletKit = useWalletKit()
  const t = useTranslate()
  const isSwitching = switchingTo === chain.id
  const onClick = () => {
    if (isCurrent) kit.closeDialog()
    // The dialog shows the outcome. A wallet accepts no second request while one is open.
    else if (!isSwitching) kit.switchChain({ chainId: chain.id }).catch(() => {})
  }
  return (
    <li className="wk-own">
      <PlainButton
        className="wk-row"
        aria-current={isCurrent || undefined}
        aria-busy={isSwitching || undefined}
        onClick={onClick}
      >
        <ChainIcon chain={chain} size={32} />
        <span className="wk-network-name wk-own">{chain.name}</span>
        {isCurrent && switchingTo === undefined && (
          <span className="wk-network-mark wk-own" data-tone="accent">
            <span className="wk-own">{t('connected')}</span>
            <Icon name="check" size={16} />
          </span>
        )}
        {isSwitching && <span className="wk-network-mark wk-own">{t('confirmInWallet')}</span>}
        {!isCurrent && !isOffered && <span className="wk-network-mark wk-own">{t('networkInWallet')}</span>}
      </PlainButton>
    </li>
  )
}
