import type { Address, Community, Member } from '@lineage/referral-api'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/useFormat.ts'
import { LazyBoundary } from '../../shared/frame/LazyBoundary.tsx'
import { lazyWithPreload } from '../../shared/frame/lazyWithPreload.tsx'
import { useConfig } from '../../shared/frame/useConfig.ts'
import { AddressHeader } from '../../shared/lookup/AddressHeader.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { AsOfBlock } from '../../shared/lookup/AsOfBlock.tsx'
import { Figure, Figures } from '../../shared/lookup/Figure.tsx'
import { useMember } from '../../shared/lookup/queries.ts'
import { Columns, Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { useExplorer } from '../../shared/lookup/useCommunity.ts'
import { DirectsLists } from './DirectsLists.tsx'
import { LegsBar } from './LegsBar.tsx'
import { LevelsChart } from './LevelsChart.tsx'
import { TeamGrowth } from './TeamGrowth.tsx'
import { UplineStrip } from './UplineStrip.tsx'

const TeamCompare = lazyWithPreload(() => import('./TeamCompare.tsx'))
const BindToReferrer = lazyWithPreload(() => import('./BindToReferrer.tsx'))

/** Shows a member: identity, upline, key figures, growth and direct referrals. */
export default function MemberView({ address, community }: { address: Address; community: Community }) {
  const { data: config } = useConfig()
  const query = useMember(community.id, address)
  return (
    <Answer query={query} skeleton={<Skeleton />}>
      {(member) => (
        <>
          <AddressHeader address={member.address}>
            <Position member={member} />
          </AddressHeader>
          <UplineStrip member={member} />
          {config?.demo?.contract && (
            <LazyBoundary>
              <BindToReferrer contract={config.demo.contract} referrer={member} community={community} />
            </LazyBoundary>
          )}
          <MemberFigures member={member} community={community} />
          {member.team > 0 && (
            <>
              <LegsBar member={member} community={community} />
              <TeamGrowth address={address} community={community} />
              <Columns>
                <LevelsChart address={address} community={community} />
                <DirectsLists address={address} community={community} team={member.team} />
              </Columns>
              <LazyBoundary>
                <TeamCompare member={member} community={community} />
              </LazyBoundary>
            </>
          )}
          <AsOfBlock asOf={member.asOf} past="open" />
        </>
      )}
    </Answer>
  )
}

function Position({ member }: { member: Member }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (member.status === 'placeholder') return <span className="attention">{t('member.placeholder')}</span>
  return (
    <>
      {t(member.depth === 0 ? 'member.root' : 'member.depth', { count: member.depth })}
      {member.joinedAt !== null && (
        <>
          {' · '}
          <time dateTime={new Date(member.joinedAt * 1_000).toISOString()}>
            {t('member.joined', { day: format.moment(member.joinedAt) })}
          </time>
        </>
      )}
      {member.block !== null && (
        <>
          {' · '}
          <BindBlock block={format.count(member.block)} tx={member.tx} />
        </>
      )}
    </>
  )
}

/** Shows the block of a member's bind, with a link to its transaction if there is an explorer. */
function BindBlock({ block, tx }: { block: string; tx: Member['tx'] }) {
  const { t } = useTranslation()
  const explorer = useExplorer()
  const text = t('member.block', { block })
  if (!explorer || !tx) return <span>{text}</span>
  return (
    <a href={`${explorer}/tx/${tx}`} target="_blank" rel="noreferrer" title={tx}>
      {text}
    </a>
  )
}

function MemberFigures({ member, community }: { member: Member; community: Community }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { volume, reward } = community.tokens
  return (
    <Section title={t('member.figures')}>
      <Figures>
        <Figure label={t('member.directs')} value={format.big(member.directs)} exact={format.count(member.directs)} />
        <Figure label={t('member.team')} value={format.big(member.team)} exact={format.count(member.team)} />
        <Figure label={t('member.levels')} value={format.count(member.maxLevel)} />
        {volume && (
          <>
            <Figure
              label={t('member.ownVolume')}
              value={format.amount(member.ownVolume, volume)}
              unit={volume.symbol}
              exact={format.amountWithUnit(member.ownVolume, volume, 'exact')}
            />
            <Figure
              label={t('member.teamVolume')}
              value={format.amount(member.teamVolume, volume)}
              unit={volume.symbol}
              exact={format.amountWithUnit(member.teamVolume, volume, 'exact')}
            />
          </>
        )}
        {reward && (
          <Figure
            label={t('metrics.rewards')}
            value={format.amount(member.rewards, reward)}
            unit={reward.symbol}
            exact={format.amountWithUnit(member.rewards, reward, 'exact')}
          />
        )}
      </Figures>
    </Section>
  )
}
