import type { AsOf, ReferralApiError } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { withChanges } from '../../paths.ts'
import { announce } from '../frame/Announcer.tsx'
import { TextButton } from '../frame/controls.tsx'
import { Link } from '../frame/Link.tsx'
import { AddressHeader } from '../lookup/AddressHeader.tsx'
import { Answer } from '../lookup/Answer.tsx'
import { AsOfBlock } from '../lookup/AsOfBlock.tsx'
import { Skeleton } from '../lookup/Skeleton.tsx'
import MomentForm from './MomentForm.tsx'
import { type PastPartProps, type PastProps, toFixedMoment, usePastMember } from './queries.ts'
import { type At, momentText, useMoment } from './useMoment.ts'

type Props<data> = {
  asOf: string
  query: UseQueryResult<data, ReferralApiError>
  skeleton: ReactNode
  /** Explains the amounts of the answer. */
  note?: string
  /** Names the address that an error is about, if there are several. */
  subject?: string | undefined
  children: (data: data) => ReactNode
}

/** Renders an answer of a past moment: the moment above it, or why there is none, and the block that it was read at. */
export function PastAnswer<data extends { at: At; asOf: AsOf }>({
  asOf,
  query,
  skeleton,
  note,
  subject,
  children,
}: Props<data>) {
  const { t } = useLazyTranslation('history')
  const format = useFormat()
  const moment = useMoment(query.data?.at, query.data?.asOf)
  const wrong = query.data ? undefined : wrongTexts[query.error?.code as keyof typeof wrongTexts]
  return (
    <>
      <Banner asOf={asOf} at={moment} newest={query.data?.asOf} isWrong={wrong !== undefined} note={note} />
      {wrong ? (
        <Wrong role="alert">
          {subject && <strong>{`${subject} `}</strong>}
          <span>{t(wrong, { text: asOf, block: asOf })}</span>
        </Wrong>
      ) : (
        <Answer query={query} skeleton={skeleton}>
          {(data) => (
            <>
              {children(data)}
              <AsOfBlock asOf={data.asOf} label={t('past.readAt', { block: format.count(data.asOf.block) })} />
            </>
          )}
        </Answer>
      )}
    </>
  )
}

/** Text of each problem with the moment. */
const wrongTexts = {
  invalid_parameter: 'past.bad',
  moment_in_future: 'past.future',
  moment_before_start: 'past.start',
  block_not_indexed: 'past.notIndexed',
  moment_uncertain: 'past.uncertain',
  member_not_found: 'past.unknown',
} as const

type BannerProps = {
  asOf: string
  at: At | undefined
  newest: AsOf | undefined
  isWrong: boolean
  note: string | undefined
}

/** Shows the moment of the page, and links to another one or to the present. */
function Banner({ asOf, at, newest, isWrong, note }: BannerProps) {
  const { t } = useLazyTranslation('history')
  const format = useFormat()
  const [parameters] = useSearchParams()
  const [form, setForm] = useState<'closed' | 'open'>('closed')
  return (
    <Root aria-label={t('past.entry')}>
      <div>
        {at && newest && (
          <>
            <p>
              <Moment key={asOf} at={at} newest={newest} />
            </p>
            {note && <p>{note}</p>}
            {at.undated > 0 && <p>{t('past.undated', { number: format.count(at.undated) })}</p>}
          </>
        )}
        <p className="actions">
          {!isWrong && (
            <TextButton
              type="button"
              aria-expanded={form === 'open'}
              onClick={() => setForm(form === 'open' ? 'closed' : 'open')}
            >
              {t('past.other')}
            </TextButton>
          )}
          <Link to={`?${withChanges(parameters, { asOf: null })}`}>{t('past.now')}</Link>
        </p>
      </div>
      {(form === 'open' || isWrong) && <MomentForm key={asOf} asOf={asOf} />}
    </Root>
  )
}

/** Milliseconds for which the announcement of a block waits for its date. */
const patience = 3_000

/** Names a moment. Announces it once, although its block or its date is read later: with its date, unless that takes long. */
function Moment({ at, newest }: { at: At; newest: AsOf }) {
  const { t } = useTranslation()
  const format = useFormat()
  const text = momentText(at, t, format)
  // Reserves the lines of the text with the block or the date, which is read later.
  const room = momentText({ block: at.block ?? newest.block, timestamp: at.timestamp ?? newest.timestamp }, t, format)
  const isDated = at.timestamp !== null
  const isAnnounced = useRef(false)
  useEffect(() => {
    if (isAnnounced.current) return
    const say = () => {
      isAnnounced.current = true
      announce(text)
    }
    if (isDated) return say()
    const timer = setTimeout(say, patience)
    return () => clearTimeout(timer)
  }, [text, isDated])
  return (
    <strong data-room={room}>
      <span>{text}</span>
    </strong>
  )
}

const Root = styled('aside')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: '14px 56px',
  marginTop: 20,
  padding: '14px 0 14px 18px',
  borderLeft: `3px solid ${theme.vars?.palette.warning.main}`,
  fontSize: '0.8125rem',
  '& p': { margin: 0, color: theme.vars?.palette.text.secondary },
  // As far from the edge as the first line: each action is as high as a finger.
  '& .actions': { display: 'flex', gap: 24, marginBottom: -12 },
  // Its fields and its button on one line, where there is room.
  '& form': { flex: '1 1 600px' },
  '& strong': {
    display: 'grid',
    fontSize: '1.0625rem',
    fontWeight: 600,
    color: theme.vars?.palette.warning.main,
    '& > span, &::before': { gridArea: '1 / 1' },
    '&::before': { content: 'attr(data-room)', visibility: 'hidden' },
  },
  '& a': {
    display: 'inline-block',
    lineHeight: '44px',
    color: theme.vars?.palette.primary.main,
    textUnderlineOffset: 4,
    '&:not(:hover)': { textDecoration: 'none' },
    '@media print': { display: 'none' },
  },
}))

const Wrong = styled('p')(({ theme }) => ({
  maxWidth: '40em',
  margin: '32px 0 48px',
  color: theme.vars?.palette.text.primary,
}))

/** Shows an address at the end of a day or at a block, and below it the part of the page. */
export default function PastView({ Part, ...props }: PastProps & { Part: ComponentType<PastPartProps> }) {
  const { address, community, asOf } = props
  const { t } = useLazyTranslation('history')
  const { t: common } = useTranslation()
  const format = useFormat()
  const query = usePastMember(community.id, address, asOf)
  const team = query.data && `${common('member.team')} ${format.count(query.data.team)}`
  return (
    <>
      {/* The figures of a day that has not ended change: a link to its block keeps them. */}
      <AddressHeader
        address={address}
        moment={query.data && toFixedMoment(asOf, query.data)}
        summary={query.isError ? '' : team}
      >
        {null}
      </AddressHeader>
      <PastAnswer asOf={asOf} query={query} skeleton={<Skeleton rows={6} />} note={t('past.amounts')}>
        {(member) => <Part {...props} asOf={toFixedMoment(asOf, member)} member={member} />}
      </PastAnswer>
    </>
  )
}
