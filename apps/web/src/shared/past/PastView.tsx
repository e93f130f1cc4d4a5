import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { type LookupName, withChanges } from '../../paths.ts'
import { TextButton } from '../frame/controls.tsx'
import { AddressHeader } from '../lookup/AddressHeader.tsx'
import { Answer } from '../lookup/Answer.tsx'
import { AsOfBlock } from '../lookup/AsOfBlock.tsx'
import { Skeleton } from '../lookup/Skeleton.tsx'
import { MomentForm } from './MomentForm.tsx'
import { PastCard } from './PastCard.tsx'
import { PastDirects, PastUpline } from './PastLists.tsx'
import { type PastProps, toFixedMoment, usePastMember } from './queries.ts'
import { type At, momentText, useMoment } from './useMoment.ts'

/** Shows an address at the end of a day or at a block. The lookup decides which part is shown. */
export default function PastView({ name, ...props }: PastProps & { name: LookupName }) {
  const { address, community, asOf } = props
  const { t } = useLazyTranslation('history')
  const format = useFormat()
  const query = usePastMember(community.id, address, asOf)
  const moment = useMoment(query.data?.at, query.data?.asOf)
  const wrong = query.data ? undefined : wrongTexts[query.error?.code as keyof typeof wrongTexts]
  const Part = name === 'referrals' ? PastDirects : name === 'referrers' ? PastUpline : PastCard
  return (
    <>
      {/* The figures of a day that has not ended change: a link to its block keeps them. */}
      <AddressHeader address={address} moment={query.data && toFixedMoment(asOf, query.data)}>
        {null}
      </AddressHeader>
      <Banner asOf={asOf} at={moment} isWrong={wrong !== undefined} />
      {wrong ? (
        <Wrong role="alert">{t(wrong, { text: asOf, block: asOf })}</Wrong>
      ) : (
        <Answer query={query} skeleton={<Skeleton rows={6} />}>
          {(member) => (
            <>
              <Part {...props} asOf={toFixedMoment(asOf, member)} member={member} />
              <AsOfBlock asOf={member.asOf} label={t('past.readAt', { block: format.count(member.asOf.block) })} />
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

/** Shows the moment of the page, and links to another one or to the present. */
function Banner({ asOf, at, isWrong }: { asOf: string; at: At | undefined; isWrong: boolean }) {
  const { t } = useLazyTranslation('history')
  const format = useFormat()
  const [parameters] = useSearchParams()
  const [form, setForm] = useState<'closed' | 'open'>('closed')
  return (
    <Root aria-label={t('past.entry')}>
      <div>
        {at && (
          <>
            <p role="status">
              <strong>{momentText(at, t, format)}</strong>
            </p>
            <p>{t('past.amounts')}</p>
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
      {(form === 'open' || isWrong) && <MomentForm key={asOf} asOf={asOf} label={t('past.entry')} />}
    </Root>
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
  '& .actions': { display: 'flex', gap: 24 },
  '& strong': { fontSize: '1.0625rem', fontWeight: 600, color: theme.vars?.palette.warning.main },
  '& a': {
    display: 'inline-block',
    lineHeight: '44px',
    color: theme.vars?.palette.primary.main,
    textUnderlineOffset: 4,
    '@media print': { display: 'none' },
  },
}))

const Wrong = styled('p')(({ theme }) => ({
  maxWidth: '40em',
  margin: '32px 0 48px',
  color: theme.vars?.palette.text.primary,
}))
