import { type Community, nameIn, type ReferralApiError } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useSearchParams } from 'react-router-dom'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { lookupPath } from '../../paths.ts'
import { Button } from '../../shared/frame/Button.tsx'
import { Link } from '../../shared/frame/Link.tsx'
import { Page } from '../../shared/frame/Page.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { AsOfBlock } from '../../shared/lookup/AsOfBlock.tsx'
import { useMetrics } from '../../shared/lookup/queries.ts'
import { RowsTable } from '../../shared/lookup/RowsTable.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { Joined } from '../../shared/lookup/Time.tsx'
import { useCommunities } from '../../shared/lookup/useCommunity.ts'
import { withheldTexts } from '../../shared/lookup/WithheldView.tsx'
import { NowOnly } from '../../shared/past/NowOnly.tsx'
import { useNewestBind } from './query.ts'
import { SignedChange } from './Totals.tsx'

/** Milliseconds between requests for the rows: there are two for each community. */
const rowsEvery = 30_000
const days = 30

/** Lists all communities: members, growth of 30 days and newest bind. */
export default function CommunitiesPage() {
  const { t } = useLazyTranslation('communities')
  const query = useCommunities()
  return (
    <Page title={t('all')} heading={t('all')} hint={t('hint')}>
      <NowOnly />
      <Answer query={query} skeleton={<Skeleton rows={6} />}>
        {({ items, asOf }) => (
          <>
            <CommunitiesTable items={items} />
            <AsOfBlock asOf={asOf} />
          </>
        )}
      </Answer>
    </Page>
  )
}

function CommunitiesTable({ items }: { items: readonly Community[] }) {
  const { t, i18n } = useLazyTranslation('communities')
  const format = useFormat()
  const [parameters] = useSearchParams()
  return (
    <Place>
      <RowsTable
        caption={t('all')}
        columns={[
          { key: 'name', label: t('name') },
          { key: 'members', label: t('members'), align: 'end' },
          { key: 'growth', label: t('growth'), align: 'end', place: 'below' },
          { key: 'newest', label: t('newest'), align: 'end' },
        ]}
        rows={items.map((community) => ({
          key: community.id,
          cells: {
            name: (
              <>
                <Link to={lookupPath('metrics', parameters, { community: community.id })}>
                  {nameIn(community.name, i18n.language)}
                </Link>
                <WhyNotServed community={community} />
              </>
            ),
            ...(community.status === 'ready' && {
              members: <span title={format.count(community.members)}>{format.big(community.members)}</span>,
              growth: <GrowthCell community={community} />,
              newest: <NewestCell community={community} />,
            }),
          },
        }))}
      />
    </Place>
  )
}

/** Says why a community has no figures. */
function WhyNotServed({ community: { status, withheld } }: { community: Community }) {
  const { t } = useLazyTranslation('communities')
  const { t: common } = useTranslation()
  if (status === 'ready') return null
  if (status === 'indexing') return <small>{common('indexing.indexing')}</small>
  return (
    <small>
      <b>{t('isWithheld')}</b>
      <span>{` · ${t(withheldTexts(withheld))}`}</span>
    </small>
  )
}

function GrowthCell({ community }: { community: Community }) {
  const { t, i18n } = useLazyTranslation('communities')
  const format = useFormat()
  const { data, error } = useMetrics(community.id, rowsEvery)
  if (!data) return <Waiting error={error} />
  const { members } = data.last30d
  return (
    <Growth>
      <Sparkbars
        label={`${nameIn(community.name, i18n.language)} · ${t('growth')}`}
        values={data.series.slice(-days).map((row) => row.members)}
      />
      <span>
        <SignedChange direction={members > 0 ? 'up' : 'none'} text={format.big(members)} />
      </span>
    </Growth>
  )
}

function NewestCell({ community }: { community: Community }) {
  const { t } = useLazyTranslation('communities')
  const { data, error } = useNewestBind(community.id, rowsEvery)
  if (!data) return <Waiting error={error} />
  const [newest] = data.items
  if (!newest) return <span>{t('none')}</span>
  const { timestamp, grade } = newest
  return <Joined of={{ joinedAt: timestamp, grade }} form="ago" now={data.asOf.timestamp} />
}

function Waiting({ error }: { error: ReferralApiError | null }) {
  const { t } = useLazyTranslation('communities')
  return error ? <span>{t('failed')}</span> : <span aria-busy>…</span>
}

const Place = styled('div')(({ theme }) => ({
  marginTop: 24,
  '& a': {
    display: 'inline-block',
    lineHeight: '44px',
    color: theme.vars?.palette.text.primary,
    fontWeight: 500,
    textDecoration: 'none',
    '&:hover': { textDecoration: 'underline', textUnderlineOffset: 4 },
  },
  '& small': {
    display: 'block',
    maxWidth: '40em',
    margin: '-6px 0 12px',
    fontSize: '0.8125rem',
    whiteSpace: 'normal',
    color: theme.vars?.palette.text.secondary,
    '& b': { fontWeight: 500, color: theme.vars?.palette.warning.main },
  },
}))

const Growth = styled('span')({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 14,
  verticalAlign: 'middle',
  '& > span': { minWidth: '3.5em' },
})

const height = 28
const step = 4

/** Draws a small bar for each day. The text beside it states their sum. */
function Sparkbars({ label, values }: { label: string; values: readonly number[] }) {
  const greatest = Math.max(1, ...values)
  return (
    <Root role="img" aria-label={label} width={values.length * step} height={height}>
      {values.map((value, index) => {
        const tall = value === 0 ? 0 : Math.max(1, (value / greatest) * (height - 1))
        return <rect key={index} x={index * step} y={height - 1 - tall} width={step - 1} height={tall} />
      })}
      <line x1={0} x2={values.length * step - 1} y1={height - 0.5} y2={height - 0.5} />
    </Root>
  )
}

const Root = styled('svg')(({ theme }) => ({
  '& rect': { fill: `color-mix(in srgb, ${theme.vars?.palette.text.primary} 72%, transparent)` },
  '& line': { stroke: theme.vars?.palette.divider },
}))

/** Links to the list of all communities. */
export function CommunitiesLink() {
  const { t } = useLazyTranslation('communities')
  const [parameters] = useSearchParams()
  return (
    <Button
      component={Link}
      to={lookupPath('metrics', parameters, { view: 'communities' })}
      color="primary"
      size="small"
      sx={{ minHeight: 44, marginX: '-10px' }}
    >
      {t('all')}
    </Button>
  )
}
