import { type Address, type Addresses, nameIn } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import { type Format, useFormat } from '../../lib/format.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { lookupPath } from '../../paths.ts'
import { Link } from '../../shared/frame/Link.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { type Column, RowsTable } from '../../shared/lookup/RowsTable.tsx'
import { Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { Joined } from '../../shared/lookup/Time.tsx'
import { useCommunity } from '../../shared/lookup/useCommunity.ts'
import { MembershipMark } from './MembershipMark.tsx'
import { useCommunitiesOf } from './query.ts'

type Item = Addresses['items'][number]

/** Lists every community with the role of the address in it. */
export default function CommunitiesOfAddress({ address }: { address: Address }) {
  const { t } = useLazyTranslation('communities')
  const query = useCommunitiesOf(address)
  return (
    <Section title={t('ofAddress')}>
      <Answer query={query} skeleton={<Skeleton rows={3} />}>
        {({ items }) => <Table items={items} address={address} />}
      </Answer>
    </Section>
  )
}

function Table({ items, address }: { items: readonly Item[]; address: Address }) {
  const { t } = useLazyTranslation('communities')
  const format = useFormat()
  const [parameters] = useSearchParams()
  const { id: current } = useCommunity()
  const end = (key: 'depth' | 'directs' | 'team' | 'joined'): Column => ({ key, label: t(key), align: 'end' })
  return (
    <RowsTable
      caption={t('ofAddress')}
      columns={[
        { key: 'name', label: t('name') },
        { key: 'status', label: t('status'), place: 'besideName' },
        ...(['depth', 'directs', 'team', 'joined'] as const).map(end),
      ]}
      rows={items.map((item) => ({
        key: item.community,
        cells: {
          ...cellsOf(item, format),
          name: (
            <Name
              to={lookupPath('search', parameters, { address, community: item.community })}
              aria-current={item.community === current}
            >
              <CommunityName name={item.name} />
              {item.community === current && <small>{t('isCurrent')}</small>}
            </Name>
          ),
          status: <Status item={item} />,
        },
      }))}
    />
  )
}

function CommunityName({ name }: Pick<Item, 'name'>) {
  const { i18n } = useLazyTranslation('communities')
  return <span>{nameIn(name, i18n.language)}</span>
}

function Status({ item: { status, member } }: { item: Item }) {
  const { t } = useLazyTranslation('communities')
  if (status !== 'ready') return <span>{t(status === 'indexing' ? 'isIndexing' : 'isWithheld')}</span>
  return (
    <MembershipMark data-member={member?.status === 'member'}>
      {t(member ? (member.status === 'member' ? 'isMember' : 'isPlaceholder') : 'isStranger')}
    </MembershipMark>
  )
}

function cellsOf({ member }: Item, format: Format): Record<string, ReactNode> {
  if (!member) return { depth: '–', directs: '–', team: '–', joined: '–' }
  const { depth, directs, team } = member
  return {
    depth: format.count(depth),
    directs: format.count(directs),
    team: format.count(team),
    joined: <Joined of={member} form="day" />,
  }
}

const Name = styled(Link)(({ theme }) => ({
  display: 'inline-block',
  lineHeight: '44px',
  color: theme.vars?.palette.text.primary,
  textDecoration: 'none',
  '&[aria-current="true"]': { fontWeight: 500 },
  '& small': { marginLeft: 10, fontWeight: 400, fontSize: '0.75rem', color: theme.vars?.palette.primary.main },
  '&:hover': { textDecoration: 'underline', textUnderlineOffset: 4 },
}))
