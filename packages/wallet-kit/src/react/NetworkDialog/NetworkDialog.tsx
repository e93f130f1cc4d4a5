import { styled } from '@mui/material/styles'
import { useId } from 'react'
import type { ChainError, WalletKitError, WalletKitErrorName } from '../../core/lib/errors.ts'
import { parseUntrustedText } from '../../core/lib/untrusted.ts'
import type { WalletKitChain } from '../../core/state/config.ts'
import type { WalletKit } from '../../core/WalletKit.ts'
import type { MessageKey } from '../../locales/en.ts'
import { PlainButton } from '../dialog/dialogParts.tsx'
import { moveFocusInList } from '../dialog/focus.ts'
import { PlainDialog, useWhileOpen } from '../dialog/PlainDialog.tsx'
import { useCanSwitchTo, useWalletConnection } from '../hooks/useWalletConnection.ts'
import { useWalletKit, useWalletKitState } from '../hooks/useWalletKit.ts'
import { ChainIcon } from '../icons/ChainIcon.tsx'
import { Icon } from '../icons/Icon.tsx'
import { type Translate, useTranslate } from '../language.ts'
import { accent } from '../theme/accent.ts'

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
      <Body>
        {warning && <Message>{warning}</Message>}
        <Rows onKeyDown={moveFocusInList}>
          {chains.map((chain) => (
            <ChainRow
              key={chain.id}
              chain={chain}
              isCurrent={chain.id === chainId}
              isOffered={canSwitchTo(chain.id)}
              switchingTo={switching?.chainId}
            />
          ))}
        </Rows>
        <Outcome data-tone={failure && error?.name !== 'UserRejectedError' ? 'error' : undefined}>
          {!switching && <span>{failure?.text ?? limit}</span>}
          {!switching && failure?.detail && <small>{failure.detail}</small>}
        </Outcome>
        <Disconnect type="button" tabIndex={0} onClick={() => void kit.disconnect()}>
          <Icon name="leave" />
          <span>{t('disconnect')}</span>
        </Disconnect>
      </Body>
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
    <li>
      <Row
        type="button"
        tabIndex={0}
        aria-current={isCurrent || undefined}
        aria-busy={isSwitching || undefined}
        onClick={onClick}
      >
        <ChainIcon chain={chain} size={32} />
        <Name>{chain.name}</Name>
        {isCurrent && switchingTo === undefined && (
          <Mark data-tone="accent">
            <span>{t('connected')}</span>
            <Icon name="check" size={16} />
          </Mark>
        )}
        {isSwitching && <Mark>{t('confirmInWallet')}</Mark>}
        {!isCurrent && !isOffered && <Mark>{t('networkInWallet')}</Mark>}
      </Row>
    </li>
  )
}

const Body = styled('div')({ overflowY: 'auto', overscrollBehavior: 'contain', padding: '0 10px 12px' })

const Message = styled('p')({ margin: '0 10px 12px', fontSize: 14, lineHeight: '21px' })

const Rows = styled('ul')({ listStyle: 'none', margin: 0, padding: 0 })

const Row = styled(PlainButton)(({ theme }) => {
  const { palette } = theme.vars ?? theme
  return {
    display: 'flex',
    alignItems: 'center',
    gap: 12,
    width: '100%',
    minHeight: 56,
    padding: '8px 10px',
    borderRadius: (theme.vars ?? theme).shape.borderRadius,
    fontSize: 15,
    color: palette.text.primary,
    '@media (hover: hover)': { '&:hover': { background: palette.action.hover } },
    '&:focus-visible': { outline: `2px solid ${accent}`, outlineOffset: -2 },
  }
})

const Name = styled('span')({
  flex: 1,
  minWidth: 0,
  overflowWrap: 'anywhere',
})

const Mark = styled('span')(({ theme }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 4,
  flex: 'none',
  fontSize: 12,
  color: (theme.vars ?? theme).palette.text.secondary,
  '&[data-tone=accent]': { color: accent },
}))

/** Keeps its place while empty. A rejection by the person is not shown as an error. */
const Outcome = styled('p')(({ theme }) => ({
  margin: 0,
  padding: '4px 10px 8px',
  minHeight: 32,
  fontSize: 13,
  lineHeight: '20px',
  color: (theme.vars ?? theme).palette.text.secondary,
  '&[data-tone=error]': { color: (theme.vars ?? theme).palette.error.main },
  '& small': {
    display: 'block',
    marginTop: 4,
    fontSize: 12,
    overflowWrap: 'anywhere',
    color: (theme.vars ?? theme).palette.text.secondary,
  },
}))

const Disconnect = styled(Row)(({ theme }) => ({
  // Aligned with the chain icons.
  '& svg': { marginInline: 6 },
  borderRadius: 0,
  borderTop: `1px solid ${(theme.vars ?? theme).palette.divider}`,
}))
