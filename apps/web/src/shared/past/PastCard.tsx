import type { PastMember, Token } from '@lineage/referral-api'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { AddressText } from '../address/AddressText.tsx'
import { BarTable } from '../charts/BarTable.tsx'
import { Quiet } from '../frame/controls.tsx'
import { Answer } from '../lookup/Answer.tsx'
import { FactList } from '../lookup/FactList.tsx'
import { LookupLinks } from '../lookup/LookupLinks.tsx'
import { useLevels } from '../lookup/levels.ts'
import { Columns, Section } from '../lookup/Section.tsx'
import { Skeleton } from '../lookup/Skeleton.tsx'
import { Between, Joined } from '../lookup/Time.tsx'
import { type PastPartProps, type PastProps, usePastMember } from './queries.ts'

/** Shows the place of an address at a past moment, and the number of members on each level below it. */
export default function PastCard({ member, ...props }: PastPartProps) {
  const { t } = useLazyTranslation('history')
  const { volume, reward } = props.community.tokens
  return (
    <Columns>
      <Section title={t('past.card')}>
        <Facts member={member} />
        {(volume ?? reward) && <Amounts {...props} />}
        <LookupLinks address={member.address} names={['referrals', 'referrers']} />
      </Section>
      <Section title={t('past.levels')}>
        {member.team === 0 ? <Quiet>{t('past.noLevels')}</Quiet> : <Levels {...props} member={member} />}
      </Section>
    </Columns>
  )
}

function Facts({ member }: { member: PastMember }) {
  const { t } = useLazyTranslation('address')
  const { t: common } = useTranslation()
  const format = useFormat()
  const { referrer, root, depth, block, directs, team, maxLevel } = member
  return (
    <FactList
      rows={[
        [t('referrer'), referrer ? <AddressText address={referrer} /> : t('noReferrer')],
        [t('root'), <AddressText key="root" address={root} />],
        [t('depth'), format.count(depth)],
        [t('joined'), member.between ? <Between of={member} /> : <Joined of={member} form="moment" />],
        block !== null && [t('block'), format.count(block)],
        [common('member.directs'), format.count(directs)],
        [common('member.team'), format.count(team)],
        [common('member.levels'), format.count(maxLevel)],
      ]}
    />
  )
}

type AmountName = 'ownVolume' | 'teamVolume' | 'rewards' | 'teamRewards'

/** Shows the amounts up to the moment. Their rows have the same height before they are known. */
function Amounts({ community, address, asOf }: PastProps) {
  const { t } = useLazyTranslation('history')
  const { t: common } = useTranslation()
  const format = useFormat()
  const query = usePastMember(community.id, address, asOf, 'amounts')
  const { volume, reward } = community.tokens
  const list = (member?: PastMember) => {
    const textOf = (name: AmountName, token: Token) => {
      const amount = member?.[name]
      return amount === undefined ? '…' : format.amountWithUnit(amount, token)
    }
    return (
      <div aria-busy={member === undefined}>
        <FactList
          rows={[
            volume && [common('member.ownVolume'), textOf('ownVolume', volume)],
            volume && [common('member.teamVolume'), textOf('teamVolume', volume)],
            reward && [common('metrics.rewards'), textOf('rewards', reward)],
            reward && [t('past.teamRewards'), textOf('teamRewards', reward)],
          ]}
        />
      </div>
    )
  }
  return (
    <Answer query={query} skeleton={list()}>
      {list}
    </Answer>
  )
}

function Levels({ community, address, asOf, member }: PastPartProps) {
  const { t } = useLazyTranslation('history')
  const { t: common } = useTranslation()
  const format = useFormat()
  const { query, items, more } = useLevels(community.id, address, { asOf })
  return (
    <Answer query={query} skeleton={<Skeleton rows={4} />}>
      {(answer) => (
        <BarTable
          caption={t('past.levels')}
          source={{ ...answer, address }}
          count={member.maxLevel}
          more={more}
          columns={{ label: common('levels.level'), value: common('levels.members') }}
          bars={items.map(({ level, count }) => ({
            key: String(level),
            label: common('level', { level }),
            value: count,
            text: format.count(count),
          }))}
        />
      )}
    </Answer>
  )
}
