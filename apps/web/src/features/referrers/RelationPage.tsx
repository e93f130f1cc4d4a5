import type { Address, Community, Relation } from '@lineage/referral-api'
import SwapIcon from '@mui/icons-material/SwapVertOutlined'
import { styled } from '@mui/material/styles'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { AddressField } from '../../shared/address/AddressField.tsx'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { parseAddress, shorten } from '../../shared/address/parseAddress.ts'
import { RecentAddresses } from '../../shared/address/RecentAddresses.tsx'
import { Button } from '../../shared/frame/Button.tsx'
import { Quiet } from '../../shared/frame/controls.tsx'
import { Page } from '../../shared/frame/Page.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { AsOfBlock } from '../../shared/lookup/AsOfBlock.tsx'
import { FactList } from '../../shared/lookup/FactList.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { WithCommunity } from '../../shared/lookup/WithCommunity.tsx'
import { PastAnswer } from '../../shared/past/PastAnswer.tsx'
import { toFixedMoment } from '../../shared/past/queries.ts'
import { usePastRelation, useRelation } from './query.ts'
import { RelationLine } from './RelationLine.tsx'

type Name = 'address' | 'to'

/** Looks up how two addresses are related; both are in the URL. */
export default function RelationPage() {
  const { t } = useLazyTranslation('relation')
  const [parameters, setParameters] = useSearchParams()
  const text = { address: parameters.get('address') ?? '', to: parameters.get('to') ?? '' }
  const a = addressOf(text.address)
  const b = addressOf(text.to)
  const asOf = parameters.get('asOf')
  /** The URL that was set last, which may not be rendered yet: two fields may be filled at once. */
  const latest = useRef(parameters)
  useEffect(() => {
    latest.current = parameters
  }, [parameters])
  const set = (changes: Partial<Record<Name, string | undefined>>) => {
    const next = new URLSearchParams(latest.current)
    for (const [name, value] of Object.entries(changes)) {
      if (value) next.set(name, value)
      else next.delete(name)
    }
    latest.current = next
    setParameters(next)
  }
  const field = (name: Name, label: string) => (
    <Labelled>
      <span aria-hidden>{label}</span>
      <AddressField
        label={label}
        name={name}
        text={text[name]}
        onAddress={(address) => set({ [name]: address })}
        autoFocus={text[name] === '' && (name === 'address' || a !== undefined)}
      />
    </Labelled>
  )
  return (
    <Page
      title={a && b ? `${shorten(a)} – ${shorten(b)} · ${t('title')}` : t('title')}
      heading={t('title')}
      {...(!(a && b) && { hint: t('hint') })}
    >
      <Fields>
        {field('address', t('a'))}
        {field('to', t('b'))}
        {(text.address !== '' || text.to !== '') && (
          <Button
            size="small"
            variant="outlined"
            startIcon={<SwapIcon />}
            onClick={() => set({ address: text.to, to: text.address })}
          >
            {t('swap')}
          </Button>
        )}
      </Fields>
      {a && b ? (
        <WithCommunity skeleton={<Skeleton />}>
          {(community) =>
            asOf ? (
              <PastRelationView key={`${a} ${b}`} a={a} b={b} community={community} asOf={asOf} />
            ) : (
              <RelationView key={`${a} ${b}`} a={a} b={b} community={community} />
            )
          }
        </WithCommunity>
      ) : (
        <RecentAddresses parameter={a ? 'to' : 'address'} />
      )}
    </Page>
  )
}

function addressOf(text: string): Address | undefined {
  const parsed = parseAddress(text)
  return parsed.kind === 'valid' ? parsed.address : undefined
}

const Fields = styled('div')({ maxWidth: 760, '& > button': { minHeight: 44, marginBottom: 12 } })

const Labelled = styled('div')(({ theme }) => ({
  '& > span': { fontSize: '0.8125rem', color: theme.vars?.palette.text.secondary },
  // Two fields cannot both stick below the bar of a phone.
  '& > form': { position: 'relative', top: 0 },
  '&:focus-within > form': { zIndex: 6 },
}))

type Props = { a: Address; b: Address; community: Community }

/** Shows how two members are related, and the line between them. */
function RelationView({ a, b, community }: Props) {
  const query = useRelation(community.id, a, b)
  if (query.error?.code === 'member_not_found')
    return <NotMember address={query.error.problem?.parameter === 'b' ? b : a} />
  return (
    <Answer query={query} skeleton={<Skeleton />}>
      {(relation) => (
        <>
          <Verdict relation={relation} community={community} />
          <AsOfBlock asOf={relation.asOf} past="open" />
        </>
      )}
    </Answer>
  )
}

/** Shows how two members were related at a past moment. */
function PastRelationView({ a, b, community, asOf }: Props & { asOf: string }) {
  const query = usePastRelation(community.id, a, b, asOf)
  const wrong = { a, b, asOf: undefined }[query.error?.problem?.parameter ?? 'asOf']
  return (
    <PastAnswer asOf={asOf} query={query} skeleton={<Skeleton />} subject={wrong && shorten(wrong)}>
      {(relation) => <Verdict relation={relation} community={community} asOf={toFixedMoment(asOf, relation)} />}
    </PastAnswer>
  )
}

type VerdictProps = { relation: Relation; community: Community; asOf?: string }

/** Says how two members are related, and shows the line between them. */
function Verdict({ relation: answer, ...props }: VerdictProps) {
  const { relation, common, stepsA, stepsB } = answer
  const { t } = useLazyTranslation('relation')
  const format = useFormat()
  const steps = (stepsA ?? 0) + (stepsB ?? 0)
  return (
    <>
      <Sentence role="status">{t(relation, { count: steps, steps: format.count(steps) })}</Sentence>
      <Facts>
        <FactList
          rows={[
            common !== null && relation !== 'same' && [t('common'), <AddressText key="common" address={common} />],
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

function NotMember({ address }: { address: Address }) {
  const { t } = useLazyTranslation('relation')
  return (
    <section role="alert">
      <Sentence>{t('notMember', { address: shorten(address) })}</Sentence>
      <Quiet>{t('notMember.text')}</Quiet>
    </section>
  )
}

const Sentence = styled('p')({ margin: '28px 0 12px', fontSize: '1.375rem', lineHeight: 1.4, fontWeight: 500 })
const Facts = styled('div')({ maxWidth: 560, '& dl > div:last-of-type': { borderBottom: 0 } })
