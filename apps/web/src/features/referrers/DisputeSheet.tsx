import type { Community, PairBinds } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useApi } from '../../lib/api.ts'
import { downloadCsv } from '../../lib/downloadFile.ts'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { isSentinel } from '../../shared/address/parseAddress.ts'
import { Button } from '../../shared/frame/Button.tsx'
import { busyButtonProps, Quiet } from '../../shared/frame/controls.tsx'
import { useZoneName } from '../../shared/frame/ZoneChoice.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { TimedProof } from '../../shared/lookup/BindProof.tsx'
import { titleOf, toFailure } from '../../shared/lookup/failure.ts'
import { MoreRow } from '../../shared/lookup/NextPage.tsx'
import { type Column, RowsTable } from '../../shared/lookup/RowsTable.tsx'
import { Columns, Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { HopText } from './LineList.tsx'
import { CheckOutcome, OnChainCheck, useOnChainCheck } from './OnChainCheck.tsx'
import { type Hop, type Link as Hops, type PairPeriod, readList, usePairAmounts, usePairBinds } from './query.ts'
import { toSheetCsv } from './toSheetCsv.ts'
import { Tools } from './UplineView.tsx'

type Bind = PairBinds['items'][number]
type Side = NonNullable<Bind['memberSide']>

/** Number of binds that load by themselves, and with each press. */
const portion = 1_000

type SheetProps = { period: PairPeriod; community: Community }

/** Loads the binds, and shows them with the check on chain. */
export function DisputeSheet({ period, community }: SheetProps) {
  const { t } = useLazyTranslation('dispute')
  const { t: compare } = useLazyTranslation('compare')
  const format = useFormat()
  const zone = useZoneName()()
  const query = usePairBinds(community.id, period)
  const [wanted, setWanted] = useState(portion)
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data])
  const isLoading = query.hasNextPage && items.length < wanted && !query.error
  useEffect(() => {
    if (isLoading && !query.isFetching) void query.fetchNextPage()
  })
  const links = useMemo(() => linksOf(items), [items])
  const check = useOnChainCheck(community, readList(links))
  const { from, to } = period.days
  const number = format.count(items.length)
  return (
    <Answer query={query} skeleton={<Skeleton rows={10} />}>
      {() => (
        <div aria-busy={isLoading}>
          <Section
            title={t('summary')}
            aside={
              <Tools>
                <OnChainCheck check={check} />
                <CsvButton period={period} community={community} hops={check.hops} />
                <Button size="small" variant="outlined" onClick={() => window.print()}>
                  {t('print')}
                </Button>
              </Tools>
            }
          >
            <Hint>{compare('range', { from: format.longDay(from), to: format.longDay(to), zone })}</Hint>
            <Hint>{t('teams')}</Hint>
            <Summary items={items} period={period} community={community} />
            {items.length > 0 && <CheckOutcome check={check} total={links.length} />}
          </Section>
          <Irregular items={items} hops={check.hops} />
          <Columns>
            <Bound side="a" items={items} hops={check.hops} />
            <Bound side="b" items={items} hops={check.hops} />
          </Columns>
          <MoreRow
            query={query}
            onMore={() => {
              setWanted(items.length + portion)
              void query.fetchNextPage()
            }}
            texts={{
              more: t('more', { number: format.count(portion) }),
              failed: t('failed'),
              shown: t(query.hasNextPage ? 'shown.part' : 'shown.all', { count: items.length, number }),
            }}
          />
        </div>
      )}
    </Answer>
  )
}

/** Lists each member once, with the referrer that it should have on chain after these binds. Roots have none. */
function linksOf(items: readonly Bind[]): Hops[] {
  const referrers = new Map<Bind['address'], Bind['referrer']>()
  for (const { status, address, referrer, held } of items) {
    const counted = status === 'bound' ? referrer : held?.referrer
    if (counted !== undefined) referrers.set(address, counted)
  }
  return [...referrers].flatMap(([address, referrer]) => (isSentinel(referrer) ? [] : [{ address, referrer }]))
}

type PartProps = { items: readonly Bind[]; hops: ReadonlyMap<Bind['address'], Hop> }
type CsvProps = { period: PairPeriod; community: Community; hops: PartProps['hops'] }

/** Renders the button that saves all binds of the period, also those that are not shown. */
function CsvButton({ period: { a, b, asOf, days }, community, hops }: CsvProps) {
  const { t } = useLazyTranslation('dispute')
  const { t: common } = useTranslation()
  const api = useApi()
  const tz = useFormat().timeZone
  const [state, setState] = useState<'idle' | 'busy'>('idle')
  const [problem, setProblem] = useState('')
  const save = async () => {
    setState('busy')
    setProblem('')
    try {
      const all: Bind[] = []
      for await (const bind of api.all.pairBinds(community.id, { a, b, asOf, tz, ...days, limit: 200 })) all.push(bind)
      downloadCsv(`${community.id}-${a}-${b}-binds-${days.from}-${days.to}.csv`, toSheetCsv(all, { asOf, hops }))
    } catch (error) {
      setProblem(common(titleOf(toFailure(error as Parameters<typeof toFailure>[0]))))
    } finally {
      setState('idle')
    }
  }
  return (
    <>
      <Button size="small" variant="outlined" {...busyButtonProps(state === 'busy', () => void save())}>
        {state === 'busy' ? common('loading') : t('csv')}
      </Button>
      {problem && <span role="alert">{problem}</span>}
    </>
  )
}

const sides = ['a', 'b'] as const
const nameOf = (side: Side) => side.toUpperCase()
const otherOf = (side: Side): Side => (side === 'a' ? 'b' : 'a')
/** Returns the team that a bind that counts belongs to. */
const teamOf = ({ memberSide, referrerSide }: Bind) => referrerSide ?? memberSide

/** Shows the binds and the amounts of both teams, side by side. */
function Summary({ items, period, community }: SheetProps & { items: readonly Bind[] }) {
  const { t } = useLazyTranslation('dispute')
  const format = useFormat()
  const amounts = useAmountRows(period, community)
  const irregular = items.filter(({ status }) => status !== 'bound')
  const counts: { name: 'bound' | 'lost' | 'lost.held'; of: (side: Side) => number }[] = [
    { name: 'bound', of: (side) => items.filter((one) => one.status === 'bound' && teamOf(one) === side).length },
    { name: 'lost', of: (side) => irregular.filter((one) => one.referrerSide === side).length },
    {
      name: 'lost.held',
      of: (side) =>
        irregular.filter((one) => one.referrerSide === side && one.held?.referrerSide === otherOf(side)).length,
    },
  ]
  const columns: Column[] = [
    { key: 'name', label: t('count') },
    ...sides.map((side) => ({ key: side, label: nameOf(side), align: 'end' as const })),
  ]
  return (
    <RowsTable
      caption={t('summary')}
      columns={columns}
      rows={[
        {
          key: 'leader',
          cells: {
            name: t('leader'),
            a: <AddressText address={period.a} />,
            b: <AddressText address={period.b} />,
          },
        },
        ...counts.map(({ name, of }) => ({
          key: name,
          cells: { name: t(name), a: format.count(of('a')), b: format.count(of('b')) },
        })),
        ...amounts,
      ]}
    />
  )
}

/** Returns a row for each kind of amount that the community has. */
function useAmountRows(period: PairPeriod, { id, tokens }: Community) {
  const { t } = useTranslation()
  const format = useFormat()
  const { data } = usePairAmounts(id, period)
  const kinds = [
    { name: 'volume', token: tokens.volume },
    { name: 'rewards', token: tokens.reward },
  ] as const
  return kinds.flatMap(({ name, token }) => {
    if (!token) return []
    const textOf = (side: Side) => (data ? <Exact>{format.amount(data[side][name], token, 'exact')}</Exact> : '–')
    const label = `${t(`metrics.${name}`)} (${token.symbol})`
    return [{ key: name, cells: { name: label, a: textOf('a'), b: textOf('b') } }]
  })
}

/** Lists the binds that did not count: who was named, and who held the member already. */
function Irregular({ items, hops }: PartProps) {
  const { t } = useLazyTranslation('dispute')
  const { t: common } = useTranslation()
  const format = useFormat()
  const irregular = items.filter(({ status }) => status !== 'bound')
  return (
    <Section title={t('irregular', { number: format.count(irregular.length) })}>
      {irregular.length === 0 ? (
        <Quiet>{t('irregular.none')}</Quiet>
      ) : (
        <RowsTable
          caption={t('irregular', { number: format.count(irregular.length) })}
          columns={[
            { key: 'member', label: common('metrics.member') },
            { key: 'status', label: common('newest.status'), place: 'besideName' },
            { key: 'claimed', label: t('claimed'), align: 'end' },
            { key: 'when', label: t('when'), align: 'end' },
            { key: 'held', label: t('held'), align: 'end' },
            { key: 'since', label: t('since'), align: 'end' },
            ...(hops.size > 0 ? [{ key: 'now', label: t('now'), align: 'end' as const }] : []),
          ]}
          rows={irregular.map((bind) => ({
            key: keyOf(bind),
            cells: {
              member: <Sided address={bind.address} side={bind.memberSide} />,
              status: <Attention>{common(`newest.${bind.status}`)}</Attention>,
              claimed: <Sided address={bind.referrer} side={bind.referrerSide} />,
              when: <TimedProof of={bind} form="moment" />,
              held: bind.held ? <Sided address={bind.held.referrer} side={bind.held.referrerSide} /> : t('held.none'),
              since: bind.held && <TimedProof of={bind.held} form="moment" />,
              now: <OnChain hop={hops.get(bind.address)} />,
            },
          }))}
        />
      )}
    </Section>
  )
}

/** Lists the binds that count in one team. */
function Bound({ side, items, hops }: PartProps & { side: Side }) {
  const { t } = useLazyTranslation('dispute')
  const { t: common } = useTranslation()
  const format = useFormat()
  const bound = items.filter((bind) => bind.status === 'bound' && teamOf(bind) === side)
  const title = t('team', { name: nameOf(side), number: format.count(bound.length) })
  return (
    <Section title={title}>
      {bound.length === 0 ? (
        <Quiet>{t('team.none')}</Quiet>
      ) : (
        <RowsTable
          caption={title}
          columns={[
            { key: 'member', label: common('metrics.member') },
            { key: 'referrer', label: common('strip.referrer'), align: 'end' },
            { key: 'when', label: t('when'), align: 'end' },
            ...(hops.size > 0 ? [{ key: 'now', label: t('now'), align: 'end' as const }] : []),
          ]}
          rows={bound.map((bind) => ({
            key: keyOf(bind),
            cells: {
              member: <AddressText address={bind.address} />,
              referrer: isSentinel(bind.referrer) ? common('strip.root') : <AddressText address={bind.referrer} />,
              when: <TimedProof of={bind} form="moment" />,
              now: <OnChain hop={hops.get(bind.address)} />,
            },
          }))}
        />
      )}
    </Section>
  )
}

const keyOf = ({ block, logIndex }: Bind) => `${block} ${logIndex}`

/** Shows an address with the team that it is in. */
function Sided({ address, side }: { address: Bind['address']; side: Bind['memberSide'] }): ReactNode {
  const { t } = useTranslation()
  if (isSentinel(address)) return <span>{t('strip.root')}</span>
  return (
    <Marked>
      <AddressText address={address} />
      {side && <b>{nameOf(side)}</b>}
    </Marked>
  )
}

/** Shows what the contract returned for a member, if it was asked. */
const OnChain = ({ hop }: { hop: Hop | undefined }) =>
  hop ? (
    <Compared data-hop={hop.kind}>
      <HopText hop={hop} />
    </Compared>
  ) : null

const Compared = styled('span')(({ theme }) => ({
  fontSize: '0.8125rem',
  whiteSpace: 'normal',
  overflowWrap: 'anywhere',
  color: theme.vars?.palette.text.secondary,
  '& em': { fontStyle: 'normal' },
  '&[data-hop="agrees"]': { color: theme.vars?.palette.primary.main },
  '&[data-hop="differs"]': { color: theme.vars?.palette.error.main },
}))

// An exact amount may be longer than a phone is wide.
const Exact = styled('span')({ whiteSpace: 'normal', overflowWrap: 'anywhere' })

const Hint = styled(Quiet)({ maxWidth: '46em', marginBottom: 8, fontSize: '0.8125rem' })

const Attention = styled('span')(({ theme }) => ({ color: theme.vars?.palette.warning.main }))

const Marked = styled('span')(({ theme }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 8,
  '& b': {
    minWidth: 18,
    border: '1px solid currentColor',
    borderRadius: 4,
    fontSize: '0.75rem',
    fontWeight: 500,
    lineHeight: '16px',
    textAlign: 'center',
    color: theme.vars?.palette.text.secondary,
  },
}))
