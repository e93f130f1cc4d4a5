import type { Address, Community, Line, PastLine, Relation } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useEffect, useMemo, useState } from 'react'
import { useApi } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { AsOfBlock } from '../../shared/lookup/AsOfBlock.tsx'
import { FactList } from '../../shared/lookup/FactList.tsx'
import { NextPageStatus } from '../../shared/lookup/NextPage.tsx'
import { PrintedRows } from '../../shared/lookup/printing.tsx'
import { Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { useWindowRows } from '../../shared/lookup/useWindowRows.tsx'
import { LineList, UplineRow } from './LineList.tsx'
import { CheckOutcome, type Hop, OnChainCheck, useOnChainCheck } from './OnChainCheck.tsx'
import { PairLink, PairPage, RelationSentence } from './PairPage.tsx'
import { readLine, useLine } from './query.ts'
import { Tools } from './UplineView.tsx'

/** Looks up how two addresses are related; both are in the URL. */
export default function RelationPage() {
  const { t } = useLazyTranslation('relation')
  const { t: dispute } = useLazyTranslation('dispute')
  return (
    <PairPage title={t('title')} hint={t('hint')}>
      {(relation, asOf, community) => (
        <>
          <Verdict relation={relation} community={community} {...(asOf !== undefined && { asOf })} />
          <PairLink view="dispute" text={dispute('title')} />
          {asOf === undefined && <AsOfBlock asOf={relation.asOf} past="open" />}
        </>
      )}
    </PairPage>
  )
}

/** Says how two members are related, and shows the line between them. */
function Verdict({ relation: answer, ...props }: Props) {
  const { relation, common, stepsA, stepsB } = answer
  const { t } = useLazyTranslation('relation')
  const format = useFormat()
  return (
    <>
      <RelationSentence of={answer} />
      <Facts>
        <FactList
          rows={[
            common !== null && relation === 'sideways' && [t('common'), <AddressText key="common" address={common} />],
            ...(relation === 'sideways'
              ? ([
                  ['A', stepsA ?? 0],
                  ['B', stepsB ?? 0],
                ] as const)
              : []
            ).map(
              ([name, steps]) =>
                [t('steps', { name }), t('generations', { count: steps, number: format.count(steps) })] as const,
            ),
          ]}
        />
      </Facts>
      {relation !== 'same' && relation !== 'unrelated' && (
        // Mounts the line anew when it changes.
        <RelationLine key={`${stepsA} ${stepsB}`} relation={answer} {...props} />
      )}
    </>
  )
}

const Facts = styled('div')({ maxWidth: 560, '& dl > div:last-of-type': { borderBottom: 0 } })

/** `asOf`: the moment of the relation; without it, now. */
type Props = { relation: Relation; community: Community; asOf?: string }
type Item = (Line | PastLine)['items'][number]

/** Lists the line between two members: up from a, then down to b, with the check on chain of the present. Rows load on scroll. */
function RelationLine({ relation, community, asOf }: Props) {
  const { t } = useLazyTranslation('relation')
  const api = useApi()
  const { a, b } = relation
  const hops = (relation.stepsA ?? 0) + (relation.stepsB ?? 0)
  const query = useLine(community.id, a, b, asOf)
  const items = useMemo(() => query.data?.pages.flatMap((page): Item[] => page.items) ?? [], [query.data])
  const check = useOnChainCheck(community, readLine({ api, community: community.id, a, b }))
  const [target, setTarget] = useState<{ row: number }>()
  return (
    <Section
      title={t('line')}
      aside={
        asOf === undefined && (
          <Tools>
            <OnChainCheck check={check} />
          </Tools>
        )
      }
    >
      {asOf === undefined && (
        <CheckOutcome check={check} total={hops} onRow={(row) => setTarget({ row })} at={target?.row} />
      )}
      <Answer query={query} skeleton={<Skeleton />}>
        {() => (
          <>
            <Rows
              items={items}
              total={hops + 1}
              relation={relation}
              community={community}
              hops={check.hops}
              target={target}
              onEnd={() => {
                if (query.hasNextPage && !query.isFetching && !query.error) void query.fetchNextPage()
              }}
            />
            <NextPageStatus query={query} />
            <PrintedRows loaded={items.length} total={hops + 1} />
          </>
        )}
      </Answer>
    </Section>
  )
}

type RowsProps = Props & {
  items: Item[]
  total: number
  hops: ReadonlyMap<Address, Hop>
  target: { row: number } | undefined
  onEnd: () => void
}

function Rows({ items, total, relation, community, hops, target, onEnd }: RowsProps) {
  const { t } = useLazyTranslation('relation')
  const { virtualizer, rows, bodyProps, placeOf } = useWindowRows<HTMLOListElement>({
    count: items.length,
    height: { phone: 74, wide: 48 },
    kept: target?.row,
  })
  const last = rows.at(-1)?.index ?? 0
  const isWanted = last > items.length - 60 || (target?.row ?? 0) >= items.length
  useEffect(() => {
    if (isWanted) onEnd()
  })
  const isThere = target !== undefined && target.row < items.length
  useEffect(() => {
    if (!target || !isThere) return
    virtualizer.scrollToIndex(target.row, { align: 'center' })
    document.getElementById(idOf(target.row))?.focus({ preventScroll: true })
  }, [target, isThere, virtualizer])
  const placeIn = ({ address }: Item) => {
    const place = (['a', 'b', 'common'] as const).find((one) => relation[one] === address)
    return place && t(place)
  }

  return (
    <LineList aria-label={t('path')} data-check={hops.size > 0 ? 'shown' : 'none'} {...bodyProps}>
      {rows.map((row) => {
        const item = items[row.index]
        if (!item) return null
        // On the way down the hop to the next row is the next row's own.
        const lower = item.side === 'a' ? item : items[row.index + 1]
        const isEnd = item.address === relation.a || item.address === relation.b
        return (
          <li
            key={row.index}
            id={idOf(row.index)}
            tabIndex={-1}
            aria-posinset={row.index + 1}
            aria-setsize={total}
            data-kind={isEnd ? 'me' : item.side === 'common' ? 'root' : 'between'}
            data-last={row.index === total - 1}
            data-hop={lower && hops.get(lower.address)?.kind}
            {...placeOf(row)}
          >
            <UplineRow
              row={item}
              place={placeIn(item)}
              me={isEnd}
              community={community}
              hop={item.side === 'common' ? undefined : hops.get(item.address)}
            />
          </li>
        )
      })}
    </LineList>
  )
}

const idOf = (row: number) => `line-${row}`
