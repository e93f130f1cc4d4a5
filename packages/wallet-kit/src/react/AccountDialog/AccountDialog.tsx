import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useEffect, useId, useState } from 'react'
import { formatAddress } from '../../core/format.ts'
import { DialogFrame } from '../DialogFrame.tsx'
import { DialogHeader } from '../DialogHeader.tsx'
import { Icon } from '../Icon.tsx'
import { Identicon } from '../Identicon.tsx'
import { LiveStatus } from '../LiveStatus.tsx'
import { useBalance } from '../useBalance.ts'
import { useConnection } from '../useConnection.ts'
import { useCopy } from '../useCopy.ts'
import { useLayout } from '../useLayout.ts'
import { useTranslate } from '../useTranslate.ts'
import { useWalletKit } from '../useWalletKit.ts'
import { FullAddress } from './FullAddress.tsx'
import { SignInRow } from './SignInRow.tsx'
import { Transactions } from './Transactions.tsx'

export type AccountDialogProps = { open: boolean; onExited: () => void }

/** Who is connected: the whole address, the balance, the transactions, and the way out. */
export function AccountDialog({ open, onExited }: AccountDialogProps) {
  const kit = useWalletKit()
  const t = useTranslate()
  const connection = useConnection()
  const { formatted, refresh } = useBalance()
  const layout = useLayout()
  const titleId = useId()
  const statusId = useId()
  // Disconnecting closes the dialog, which fades out as it was.
  const [address, setAddress] = useState(connection.address)
  if (connection.address && connection.address !== address) setAddress(connection.address)
  const { state: copyState, copy } = useCopy(address ?? '')
  useEffect(refresh, [refresh])
  if (!address) return null

  const explorer = connection.chain?.blockExplorers?.default
  return (
    <DialogFrame
      open={open}
      onExited={onExited}
      labelledBy={titleId}
      describedBy={statusId}
      width={360}
      isSheet={layout === 'phone'}
    >
      <LiveStatus id={statusId}>
        {copyState === 'copied' ? t('copied') : copyState === 'failed' ? t('copyFailed') : t('accountDescription')}
      </LiveStatus>
      <Column>
        <DialogHeader title={t('account')} titleId={titleId} />
        <Body>
          <Who>
            <Avatar address={address} size={64} />
            <strong title={address}>{formatAddress(address)}</strong>
            <span>{formatted}</span>
          </Who>
          <FullAddress address={address} />
          {copyState === 'failed' && <Failure>{t('copyFailed')}</Failure>}
          <Actions>
            <Button
              variant="outlined"
              color="inherit"
              startIcon={<Icon name={copyState === 'copied' ? 'check' : 'copy'} size={18} />}
              onClick={copy}
            >
              {copyState === 'copied' ? t('copied') : t('copyAddress')}
            </Button>
            <Button
              variant="outlined"
              color="inherit"
              startIcon={<Icon name="leave" size={18} />}
              onClick={() => void kit.disconnect()}
            >
              {t('disconnect')}
            </Button>
          </Actions>
          {kit.config.authentication && <SignInRow />}
          <Transactions explorerUrl={explorer?.url} />
          {explorer && (
            <Explorer href={`${explorer.url}/address/${address}`} target="_blank" rel="noreferrer">
              {t('viewOnExplorer', { explorer: explorer.name })}
              <Icon name="external" size={16} />
            </Explorer>
          )}
        </Body>
      </Column>
    </DialogFrame>
  )
}

const Column = styled('div')({ display: 'flex', flexDirection: 'column', flex: 1, minWidth: 0 })

const Body = styled('div')({ overflowY: 'auto', overscrollBehavior: 'contain', padding: '0 20px 16px' })

const Who = styled('div')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  '& strong': {
    marginTop: 12,
    fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
    fontSize: 20,
    lineHeight: '28px',
    fontWeight: 600,
  },
  // Kept while the balance is on its way.
  '& span': {
    minHeight: 22,
    fontSize: 14,
    lineHeight: '22px',
    fontVariantNumeric: 'tabular-nums',
    color: (theme.vars ?? theme).palette.text.secondary,
  },
}))

const Avatar = styled(Identicon)({ borderRadius: '50%' })

const Failure = styled('p')(({ theme }) => ({
  margin: '0 0 12px',
  fontSize: 13,
  textAlign: 'center',
  color: (theme.vars ?? theme).palette.error.main,
}))

const Actions = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '1fr 1fr',
  gap: 8,
  marginBottom: 12,
  '& .MuiButton-root': { minHeight: 44, paddingInline: 8, borderColor: (theme.vars ?? theme).palette.divider },
}))

const Explorer = styled('a')(({ theme }) => {
  const { palette } = theme.vars ?? theme
  return {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    minHeight: 44,
    marginTop: 8,
    fontSize: 14,
    color: palette.primary.main,
    textDecoration: 'none',
    borderTop: `1px solid ${palette.divider}`,
    '&:focus-visible': { outline: `2px solid ${palette.primary.main}`, outlineOffset: 2, borderRadius: 4 },
  }
})
