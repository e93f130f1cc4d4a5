import type { Address, Community, Member } from '@lineage/referral-api'
import { useWalletConnection, useWalletKit, useWalletKitState } from '@lineage/wallet-kit'
import { useWriteContract } from '@lineage/wallet-kit/hooks'
import { styled } from '@mui/material/styles'
import { useEffect, useState } from 'react'
import { parseAbi } from 'viem'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { useNotify } from '../../lib/notices.ts'
import { shorten } from '../../shared/address/parseAddress.ts'
import { Button } from '../../shared/frame/Button.tsx'
import { useAccount } from '../../shared/frame/KitProvider.tsx'
import { useMember } from '../../shared/lookup/queries.ts'

const abi = parseAbi(['function bind(address referrer)'])

type Props = { contract: Address; referrer: Member; community: Community }

/** Offers an unbound account to bind to this member, in the demo only. */
export default function BindToReferrer(props: Props) {
  const account = useAccount()
  return account && account !== props.referrer.address && props.referrer.status === 'member' ? (
    <Offer key={account} {...props} account={account} />
  ) : null
}

function Offer({ contract, referrer, community, account }: Props & { account: Address }) {
  const { t } = useLazyTranslation('demo')
  const kit = useWalletKit({ shouldThrow: false })
  const notify = useNotify()
  const { isSupportedChain } = useWalletConnection()
  const isWaiting = useWalletKitState((state) => state.hasPendingTransactions)
  const [phase, setPhase] = useState<'unbound' | 'bound'>('unbound')
  const { mutate, isPending } = useWriteContract()
  useEffect(
    () =>
      kit?.onTransactionSettled(({ status }, { address }) => {
        if (status === 'confirmed' && address === account) setPhase('bound')
      }),
    [kit, account],
  )
  const { error } = useMember(community.id, account)
  // `bound` comes from the transaction: the index may be a block behind.
  if (!kit || phase === 'bound' || error?.code !== 'member_not_found') return null

  const bind = () =>
    mutate(
      {
        address: contract,
        abi,
        functionName: 'bind',
        args: [referrer.address],
        description: t('bind.description', { address: shorten(referrer.address) }),
      },
      {
        onError: ({ name }) => {
          if (name !== 'UserRejectedError') notify(t('bind.failed'), 'error')
        },
      },
    )
  const shown = isWaiting ? 'waiting' : isPending ? 'signing' : 'idle'
  return (
    <Root>
      <p>{t('bind.text', { account: shorten(account) })}</p>
      <Button variant="outlined" onClick={bind} disabled={shown !== 'idle' || !isSupportedChain}>
        {t(`bind.${shown}`)}
      </Button>
    </Root>
  )
}

const Root = styled('section')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: '12px 24px',
  marginTop: 32,
  padding: '14px 0 14px 20px',
  borderLeft: `2px solid ${theme.vars?.palette.primary.main}`,
  '& p': { margin: 0, fontSize: '0.875rem' },
}))
