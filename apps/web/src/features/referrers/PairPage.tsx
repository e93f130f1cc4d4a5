import type { Address, Community, PastRelation, Relation } from '@lineage/referral-api'
import SwapIcon from '@mui/icons-material/SwapVertOutlined'
import { styled } from '@mui/material/styles'
import { type ReactNode, useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { type Changes, withChanges } from '../../paths.ts'
import { AddressField } from '../../shared/address/AddressField.tsx'
import { parseAddress, shorten } from '../../shared/address/parseAddress.ts'
import { RecentAddresses } from '../../shared/address/RecentAddresses.tsx'
import { Announced } from '../../shared/frame/Announcer.tsx'
import { Button } from '../../shared/frame/Button.tsx'
import { Quiet } from '../../shared/frame/controls.tsx'
import { Link } from '../../shared/frame/Link.tsx'
import { Page } from '../../shared/frame/Page.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { WithCommunity } from '../../shared/lookup/WithCommunity.tsx'
import { PastAnswer } from '../../shared/past/PastAnswer.tsx'
import { toFixedMoment } from '../../shared/past/queries.ts'
import { usePastRelation, useRelation } from './query.ts'

type Name = 'address' | 'to'

/** Returns the two addresses of the URL; `undefined` for one that is missing or wrong. */
function usePair(): { a: Address | undefined; b: Address | undefined } {
  const [parameters] = useSearchParams()
  const addressOf = (name: Name) => {
    const parsed = parseAddress(parameters.get(name) ?? '')
    return parsed.kind === 'valid' ? parsed.address : undefined
  }
  return { a: addressOf('address'), b: addressOf('to') }
}

type Pair = { a: Address; b: Address; community: Community }
type Children = (relation: Relation | PastRelation, asOf: string | undefined, community: Community) => ReactNode
type PageProps = { title: string; hint: string; children: Children }

/**
 * Asks for two addresses, which are in the URL, and renders how the two are related, now or at the moment in the URL.
 * `children` gets that moment as `asOf`: a day that has ended or a block; `undefined` is now.
 */
export function PairPage({ title, hint, children }: PageProps) {
  const { a, b } = usePair()
  return (
    <Page
      title={a && b ? `${shorten(a)} – ${shorten(b)} · ${title}` : title}
      heading={title}
      {...(!(a && b) && { hint })}
    >
      <PairFields />
      {a && b ? (
        <WithCommunity skeleton={<Skeleton />}>
          {(community) => <PairAnswer {...{ a, b, community, children }} />}
        </WithCommunity>
      ) : (
        <RecentAddresses parameter={a ? 'to' : 'address'} />
      )}
    </Page>
  )
}

/** Renders the fields of the two addresses, and the button that swaps them. */
function PairFields() {
  const { t } = useLazyTranslation('relation')
  const [parameters, setParameters] = useSearchParams()
  const { a } = usePair()
  const text = { address: parameters.get('address') ?? '', to: parameters.get('to') ?? '' }
  /** The URL that was set last, which may not be rendered yet: two fields may be filled at once. */
  const latest = useRef(parameters)
  useEffect(() => {
    latest.current = parameters
  }, [parameters])
  const set = (changes: Partial<Record<Name, string | undefined>>) => {
    // A link may name two addresses alone, and one of them may be removed.
    const next = withChanges(latest.current, { view: latest.current.get('view') ?? 'relation' })
    for (const [name, value] of Object.entries(changes)) {
      if (value) next.set(name, value)
      else next.delete(name)
    }
    latest.current = next
    setParameters(next)
  }
  const field = (name: Name, label: string) => (
    <Labelled>
      <span aria-hidden data-printed={text[name]}>
        {label}
      </span>
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
  )
}

type AnswerProps = Pair & { children: Children }

function PairAnswer(props: AnswerProps) {
  const asOf = useSearchParams()[0].get('asOf')
  const key = `${props.a} ${props.b}`
  return asOf ? <PastPair key={key} {...props} asOf={asOf} /> : <PresentPair key={key} {...props} />
}

function PresentPair({ a, b, community, children }: AnswerProps) {
  const query = useRelation(community.id, a, b)
  if (query.error?.code === 'member_not_found')
    return <NotMember address={query.error.problem?.parameter === 'b' ? b : a} />
  return (
    <Answer query={query} skeleton={<Skeleton />}>
      {(relation) => children(relation, undefined, community)}
    </Answer>
  )
}

function PastPair({ a, b, community, asOf, children }: AnswerProps & { asOf: string }) {
  const query = usePastRelation(community.id, a, b, asOf)
  const wrong = { a, b, asOf: undefined }[query.error?.problem?.parameter ?? 'asOf']
  return (
    <PastAnswer asOf={asOf} query={query} skeleton={<Skeleton />} subject={wrong && shorten(wrong)}>
      {(relation) => children(relation, toFixedMoment(asOf, relation), community)}
    </PastAnswer>
  )
}

/** Says how two members are related. */
export function RelationSentence({ of: { relation, stepsA, stepsB } }: { of: Relation }) {
  const { t } = useLazyTranslation('relation')
  const format = useFormat()
  const steps = (stepsA ?? 0) + (stepsB ?? 0)
  return (
    <Sentence>
      <Announced>{t(relation, { count: steps, steps: format.count(steps) })}</Announced>
    </Sentence>
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

/** Renders a link to another view of the same two addresses. */
export function PairLink({ view, text }: { view: 'relation' | 'dispute'; text: string }) {
  const [parameters] = useSearchParams()
  const period: Changes = view === 'relation' ? { dayFrom: null, dayTo: null } : {}
  return <OtherView to={`?${withChanges(parameters, { ...period, view })}`}>{text}</OtherView>
}

export const OtherView = styled(Link)(({ theme }) => ({
  display: 'inline-block',
  lineHeight: '44px',
  fontSize: '0.875rem',
  color: theme.vars?.palette.primary.main,
  textUnderlineOffset: 4,
  '@media print': { display: 'none' },
}))

const Fields = styled('div')({
  maxWidth: 760,
  '& > button': { minHeight: 44, marginBottom: 12 },
  '@media print': { '& > button': { display: 'none' } },
})

const Labelled = styled('div')(({ theme }) => ({
  '@media print': { marginTop: 12, '& > span::after': { content: '"\\2002" attr(data-printed)' } },
  '& > span': { fontSize: '0.8125rem', color: theme.vars?.palette.text.secondary },
  // Two fields cannot both stick below the bar of a phone.
  '& > form': { position: 'relative', top: 0 },
  '&:focus-within > form': { zIndex: 6 },
}))
