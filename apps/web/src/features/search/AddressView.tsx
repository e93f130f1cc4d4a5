import { type Address, type Community, nameIn } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { busyButtonProps, Quiet, TextButton } from '../../shared/frame/controls.tsx'
import { lazyPart } from '../../shared/frame/ErrorBoundary.tsx'
import { lazyWithPreload } from '../../shared/frame/lazyWithPreload.tsx'
import { AddressHeader } from '../../shared/lookup/AddressHeader.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { AnswerBoundary } from '../../shared/lookup/AnswerBoundary.tsx'
import { AsOfBlock } from '../../shared/lookup/AsOfBlock.tsx'
import { TxLink } from '../../shared/lookup/BindProof.tsx'
import { FactList } from '../../shared/lookup/FactList.tsx'
import { LookupLinks } from '../../shared/lookup/LookupLinks.tsx'
import { useMember } from '../../shared/lookup/queries.ts'
import { Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { Between, Time } from '../../shared/lookup/Time.tsx'
import { useHasSeveral } from '../../shared/lookup/useCommunity.ts'
import { MembershipMark } from './MembershipMark.tsx'
import { bnb, useChainAccount } from './query.ts'
import { useHasEvents } from './useMemberEvents.ts'

const CommunitiesOfAddress = lazyPart(() => import('./CommunitiesOfAddress.tsx'))
const Ranks = lazyPart(() => import('../../shared/lookup/Ranks.tsx'))
const Timeline = lazyWithPreload(() => import('./Timeline.tsx'))

/** Shows an address's membership, its kind and balance on chain, and its events. */
export default function AddressView({ address, community }: { address: Address; community: Community }) {
  const { t } = useLazyTranslation('address')
  const { t: common, i18n } = useTranslation()
  const format = useFormat()
  const query = useMember(community.id, address)
  const hasSeveral = useHasSeveral()
  const isStranger = query.error?.code === 'member_not_found'
  const hasEvents = useHasEvents(community.id, address, isStranger) || !isStranger
  const isMember = query.data?.status === 'member' && !isStranger
  const membership =
    query.data || isStranger
      ? t(isMember ? 'member' : isStranger ? 'stranger' : 'placeholder', {
          name: nameIn(community.name, i18n.language),
        })
      : undefined
  return (
    <>
      <AddressHeader address={address} summary={membership}>
        {membership && <MembershipMark data-member={isMember}>{membership}</MembershipMark>}
        <ChainFacts address={address} />
      </AddressHeader>
      <Parts data-events={hasEvents}>
        <Section title={t('inCommunity')}>
          {isStranger ? (
            <Quiet>{common('failure.notMember.text')}</Quiet>
          ) : (
            <Answer query={query} skeleton={<Skeleton rows={4} />}>
              {(member) => (
                <FactList
                  rows={[
                    [t('referrer'), member.referrer ? <AddressText address={member.referrer} /> : t('noReferrer')],
                    [t('root'), <AddressText key="root" address={member.root} />],
                    [t('depth'), member.depth],
                    member.joinedAt !== null && [
                      t('joined'),
                      <Time key="joined" seconds={member.joinedAt} form="moment" />,
                    ],
                    member.between && [t('joined'), <Between key="joined" of={member} />],
                    member.block !== null && [t('block'), format.count(member.block)],
                    member.tx !== null && [
                      t('tx'),
                      <TxLink key="tx" tx={member.tx}>
                        <code>{member.tx}</code>
                      </TxLink>,
                    ],
                    [common('member.directs'), format.count(member.directs)],
                    [common('member.team'), format.count(member.team)],
                  ]}
                />
              )}
            </Answer>
          )}
          {isMember && <LookupLinks address={address} names={['community', 'referrals', 'referrers']} />}
          {query.data && !isStranger && (
            <Ranks address={query.data.address} kind={query.data.referrer ? 'referred' : 'root'} />
          )}
        </Section>
        {hasEvents && (
          <AnswerBoundary skeleton={<Skeleton rows={8} />}>
            <Timeline address={address} community={community} />
          </AnswerBoundary>
        )}
      </Parts>
      {hasSeveral && <CommunitiesOfAddress address={address} />}
      {query.data && <AsOfBlock asOf={query.data.asOf} {...(!isStranger && { past: 'open' })} />}
    </>
  )
}

/** Shows whether an address is an account or a contract, and its balance. */
function ChainFacts({ address }: { address: Address }) {
  const { t } = useLazyTranslation('address')
  const { t: common } = useTranslation()
  const format = useFormat()
  const { data, error, refetch, isFetching } = useChainAccount(address)
  if (data)
    return (
      <span>
        <span>{` · ${t(data.kind)}`}</span>
        <span title={format.amountWithUnit(String(data.balance), bnb, 'exact')}>
          {` · ${format.amountWithUnit(String(data.balance), bnb)}`}
        </span>
      </span>
    )
  if (!error)
    return (
      <span aria-busy>
        <span>{` · ${common('loading')}`}</span>
      </span>
    )
  return (
    <span>
      <span role="alert">{` · ${common('failure.nodes.title')} `}</span>
      <TextButton type="button" {...busyButtonProps(isFetching, () => void refetch())}>
        {common(isFetching ? 'failure.retrying' : 'failure.retry')}
      </TextButton>
    </span>
  )
}

/** Lays out two sections side by side on wide pages, or both beside the events. */
const Parts = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: '0 56px',
  '@media (min-width: 900px)': {
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
    '&[data-events="true"]': {
      gridTemplateColumns: 'minmax(0, 9fr) minmax(0, 16fr)',
      gridTemplateRows: 'auto 1fr',
      '& > :nth-of-type(2)': { gridColumn: 2, gridRow: '1 / 3' },
    },
  },
})
