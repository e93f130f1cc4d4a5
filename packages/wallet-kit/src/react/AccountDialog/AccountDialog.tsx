import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useId, useState } from 'react'
import { formatAddress, formatName } from '../../core/format.ts'
import { Avatar } from '../Avatar.tsx'
import { accent } from '../accent.ts'
import { Icon } from '../Icon.tsx'
import { PlainDialog } from '../PlainDialog.tsx'
import { useConnection } from '../useConnection.ts'
import { useCopy } from '../useCopy.ts'
import { useName } from '../useName.ts'
import { useTranslate } from '../useTranslate.ts'
import { useWalletKit } from '../useWalletKit.ts'
import { Balance } from './Balance.tsx'
import { FullAddress } from './FullAddress.tsx'
import { SignInRow } from './SignInRow.tsx'
import { Transactions } from './Transactions.tsx'

export type AccountDialogProps = { open: boolean; onExited: () => void }

/** Who is connected: the whole address, the balance, the transactions, and the way out. */
export function AccountDialog({ open, onExited }: AccountDialogProps) {
  const kit = useWalletKit()
  const t = useTranslate()
  const connection = useConnection()
  const statusId = useId()
  // Disconnecting closes the dialog, which fades out as it was.
  const [address, setAddress] = useState(connection.address)
  if (connection.address && connection.address !== address) setAddress(connection.address)
  const { name, avatar } = useName(address)
  const { state: copyState, copy } = useCopy(address ?? '')
  if (!address) return null

  const explorer = connection.chain?.blockExplorers?.default
  return (
    <PlainDialog
      open={open}
      onExited={onExited}
      title={t('account')}
      statusId={statusId}
      description={t('accountDescription')}
      status={copyState === 'idle' ? undefined : t(copyState === 'copied' ? 'copied' : 'copyFailed')}
    >
      <Body>
        <Who>
          <Avatar address={address} avatar={avatar} size={64} />
          <strong dir="auto" title={address} data-address={!name || undefined}>
            {name ? formatName(name) : formatAddress(address)}
          </strong>
          {connection.isSupportedChain ? (
            <Balance />
          ) : (
            <Wrong>
              {t('wrongNetworkText')}
              <Button size="small" color="primary" onClick={kit.openNetworkDialog}>
                {t('switchNetworks')}
              </Button>
            </Wrong>
          )}
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
    </PlainDialog>
  )
}

const Body = styled('div')({ overflowY: 'auto', overscrollBehavior: 'contain', padding: '0 20px 16px' })

const Who = styled('div')({
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  '& strong': {
    marginTop: 12,
    maxWidth: '100%',
    overflowWrap: 'anywhere',
    fontSize: 20,
    lineHeight: '28px',
    fontWeight: 600,
    textAlign: 'center',
    '&[data-address]': { fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace' },
  },
})

const Wrong = styled('p')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  margin: '4px 0 0',
  fontSize: 14,
  lineHeight: '21px',
  textAlign: 'center',
  textWrap: 'balance',
  color: (theme.vars ?? theme).palette.error.main,
  '& .MuiButton-root': { minHeight: 44 },
}))

const Failure = styled('p')(({ theme }) => ({
  margin: '0 0 12px',
  fontSize: 13,
  textAlign: 'center',
  color: (theme.vars ?? theme).palette.error.main,
}))

const Actions = styled('div')(({ theme }) => ({
  display: 'grid',
  // Side by side, as long as the text is not larger than usual.
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 9em), 1fr))',
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
    color: accent,
    textDecoration: 'none',
    borderTop: `1px solid ${palette.divider}`,
    '&:focus-visible': { outline: `2px solid ${accent}`, outlineOffset: 2, borderRadius: 4 },
  }
})
