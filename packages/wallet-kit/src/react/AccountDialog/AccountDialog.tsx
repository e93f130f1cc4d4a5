import { styled } from '@mui/material/styles'
import { useId } from 'react'
import { Button } from '../Button.tsx'
import { useCopy } from '../device/useCopy.ts'
import { PlainDialog } from '../dialog/PlainDialog.tsx'
import { useWhileOpen } from '../dialog/useWhileOpen.ts'
import { useConnection } from '../hooks/useConnection.ts'
import { useWalletKit } from '../hooks/useWalletKit.ts'
import { Icon } from '../icons/Icon.tsx'
import { useTranslate } from '../language/useTranslate.ts'
import { accent } from '../theme/accent.ts'
import { AccountHeader } from './AccountHeader.tsx'
import { FullAddress } from './FullAddress.tsx'
import { SignInRow } from './SignInRow.tsx'
import { Transactions } from './Transactions.tsx'

/** Shows the connected account: full address, balance, transactions, Disconnect. */
export function AccountDialog({ open, onExited }: { open: boolean; onExited: () => void }) {
  const kit = useWalletKit()
  const t = useTranslate()
  const connection = useConnection()
  const { address, chain, isSupportedChain } = useWhileOpen(connection.address !== undefined, connection)
  const statusId = useId()
  const { state: copyState, copy } = useCopy(address ?? '')
  if (!address) return null

  const explorer = chain?.blockExplorers?.default
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
        <AccountHeader address={address} isSupportedChain={isSupportedChain} />
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
          <Explorer tabIndex={0} href={`${explorer.url}/address/${address}`} target="_blank" rel="noreferrer">
            {t('viewOnExplorer', { explorer: explorer.name })}
            <Icon name="external" size={16} />
          </Explorer>
        )}
      </Body>
    </PlainDialog>
  )
}

const Body = styled('div')({ overflowY: 'auto', overscrollBehavior: 'contain', padding: '0 20px 16px' })

const Failure = styled('p')(({ theme }) => ({
  margin: '0 0 12px',
  fontSize: 13,
  textAlign: 'center',
  color: (theme.vars ?? theme).palette.error.main,
}))

const Actions = styled('div')(({ theme }) => ({
  display: 'grid',
  // Side by side, unless the text is larger than usual.
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
