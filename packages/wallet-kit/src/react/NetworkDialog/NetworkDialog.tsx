import ButtonBase from '@mui/material/ButtonBase'
import { styled } from '@mui/material/styles'
import { useId } from 'react'
import { ChainError, type WalletKitError, type WalletKitErrorName } from '../../core/errors.ts'
import { toText } from '../../core/foreign.ts'
import type { MessageKey } from '../../locales/en.ts'
import { accent } from '../accent.ts'
import { ChainIcon } from '../ChainIcon.tsx'
import { Icon } from '../Icon.tsx'
import { onArrowKeys } from '../onArrowKeys.ts'
import { PlainDialog } from '../PlainDialog.tsx'
import { useConnection } from '../useConnection.ts'
import { type Translate, useTranslate } from '../useTranslate.ts'
import { useWalletKit } from '../useWalletKit.ts'

export type NetworkDialogProps = {
  open: boolean
  onExited: () => void
  switching: { chainId: number } | undefined
  error: WalletKitError | undefined
}

const errorTexts: Partial<Record<WalletKitErrorName, MessageKey>> = {
  UserRejectedError: 'networkRejected',
  RequestPendingError: 'networkPending',
}
/** The person knows what these say. */
const plain: WalletKitErrorName[] = ['UserRejectedError', 'RequestPendingError']

/** Why the wallet did not switch, in the person's words; `detail` in the wallet's own. */
function describeFailure(error: WalletKitError | undefined, t: Translate) {
  if (!error || error.name === 'AbortedError') return undefined
  const isUnsupported = error instanceof ChainError && error.reason === 'unsupported'
  const detail = plain.includes(error.name) || isUnsupported ? '' : toText(error.details, 160)
  return {
    text: t(isUnsupported ? 'networkUnsupported' : (errorTexts[error.name] ?? 'networkFailed')),
    detail: detail && t('errorDetail', { detail }),
  }
}

/** The app's chains, and which of them the wallet is on. */
export function NetworkDialog({ open, onExited, switching, error }: NetworkDialogProps) {
  const kit = useWalletKit()
  const t = useTranslate()
  const { chainId, isSupportedChain } = useConnection()
  const statusId = useId()

  const failure = describeFailure(error, t)
  const warning = isSupportedChain ? undefined : t('wrongNetworkText')
  return (
    <PlainDialog
      open={open}
      onExited={onExited}
      title={t('switchNetworks')}
      statusId={statusId}
      description={warning ?? t('networkDescription')}
      status={switching ? t('confirmInWallet') : failure?.text}
    >
      <Body>
        {warning && <Message>{warning}</Message>}
        <Rows onKeyDown={onArrowKeys}>
          {kit.config.chains.map((chain) => {
            const { id, name } = chain
            const isCurrent = id === chainId
            const isSwitching = switching?.chainId === id
            return (
              <li key={id}>
                <Row
                  aria-current={isCurrent || undefined}
                  aria-busy={isSwitching || undefined}
                  onClick={() => {
                    if (isCurrent) kit.closeDialog()
                    // The dialog shows what comes of it. A wallet that shows the request already takes no other.
                    else if (!isSwitching) kit.switchChain({ chainId: id }).catch(() => undefined)
                  }}
                >
                  <ChainIcon chain={chain} size={32} />
                  <Name>{name}</Name>
                  {isCurrent && !switching && (
                    <Mark data-tone="accent">
                      {t('connected')} <Icon name="check" size={16} />
                    </Mark>
                  )}
                  {isSwitching && <Mark>{t('confirmInWallet')}</Mark>}
                </Row>
              </li>
            )
          })}
        </Rows>
        <Outcome data-tone={error?.name === 'UserRejectedError' ? undefined : 'error'}>
          {!switching && failure && (
            <>
              {failure.text}
              {failure.detail && <small>{failure.detail}</small>}
            </>
          )}
        </Outcome>
        <Disconnect onClick={() => void kit.disconnect()}>
          <Icon name="leave" />
          {t('disconnect')}
        </Disconnect>
      </Body>
    </PlainDialog>
  )
}

const Body = styled('div')({ overflowY: 'auto', overscrollBehavior: 'contain', padding: '0 10px 12px' })

const Message = styled('p')({ margin: '0 10px 12px', fontSize: 14, lineHeight: '21px' })

const Rows = styled('ul')({ listStyle: 'none', margin: 0, padding: 0 })

const Row = styled(ButtonBase)(({ theme }) => {
  const { palette } = theme.vars ?? theme
  return {
    display: 'flex',
    justifyContent: 'flex-start',
    gap: 12,
    width: '100%',
    minHeight: 56,
    padding: '8px 10px',
    borderRadius: (theme.vars ?? theme).shape.borderRadius,
    textAlign: 'start',
    font: 'inherit',
    fontSize: 15,
    color: palette.text.primary,
    '@media (hover: hover)': { '&:hover': { background: palette.action.hover } },
    '&.Mui-focusVisible': { outline: `2px solid ${accent}`, outlineOffset: -2 },
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

/** Its place is kept. A refusal of the person's own is no error. */
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
  // Under the pictures of the chains.
  '& svg': { marginInline: 6 },
  borderRadius: 0,
  borderTop: `1px solid ${(theme.vars ?? theme).palette.divider}`,
}))
