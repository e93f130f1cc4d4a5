import type { PastMember } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { Link, useSearchParams } from 'react-router-dom'
import { useFormat } from '../../lib/useFormat.ts'
import { useLazyTranslation } from '../../lib/useLazyTranslation.ts'
import type { LookupName } from '../../paths.ts'
import { AddressHeader } from '../lookup/AddressHeader.tsx'
import { Answer } from '../lookup/Answer.tsx'
import { AsOfBlock } from '../lookup/AsOfBlock.tsx'
import { Skeleton } from '../lookup/Skeleton.tsx'
import { MomentForm } from './MomentForm.tsx'
import { PastCard } from './PastCard.tsx'
import { PastDirects, PastUpline } from './PastLists.tsx'
import type { PastProps } from './PastProps.ts'
import { useBlockTime, usePastMember } from './queries.ts'

/** Shows an address at the end of a day or at a block. The lookup decides which part is shown. */
export default function PastView({ name, ...props }: PastProps & { name: LookupName }) {
  const { address, community, asOf } = props
  const { t } = useLazyTranslation('history')
  const query = usePastMember(community.id, address, asOf)
  const wrong = query.data ? undefined : wrongTexts[query.error?.code as keyof typeof wrongTexts]
  const Part = name === 'referrals' ? PastDirects : name === 'referrers' ? PastUpline : PastCard
  return (
    <>
      <AddressHeader address={address}>{null}</AddressHeader>
      <Banner asOf={asOf} at={query.data?.at} />
      {wrong ? (
        <Wrong role="alert">{t(wrong, { text: asOf, block: asOf })}</Wrong>
      ) : (
        <Answer query={query} skeleton={<Skeleton rows={6} />}>
          {(member) => (
            <>
              <Part {...props} member={member} />
              <AsOfBlock asOf={member.asOf} />
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
  member_not_found: 'past.unknown',
} as const

/** Shows the moment of the page, and links to another one or to the present. */
function Banner({ asOf, at }: { asOf: string; at: PastMember['at'] | undefined }) {
  const { t } = useLazyTranslation('history')
  const format = useFormat()
  const { data: time } = useBlockTime(at?.block ?? null)
  const [parameters] = useSearchParams()
  const now = new URLSearchParams(parameters)
  now.delete('asOf')
  return (
    <Root aria-label={t('past.entry')}>
      <div>
        {at && (
          <>
            <p role="status">
              <strong>
                {at.block === null
                  ? t('past.asOfDay', { moment: format.moment(at.timestamp ?? 0) })
                  : t('past.asOfBlock', { block: format.count(at.block) })}
                {time !== undefined && ` · ${format.moment(time)}`}
              </strong>
            </p>
            <p>{t('past.noAmounts')}</p>
          </>
        )}
        <Link to={`?${now}`}>{t('past.now')}</Link>
      </div>
      <MomentForm key={asOf} asOf={asOf} label={t('past.entry')} />
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
  '& strong': { fontSize: '1.0625rem', fontWeight: 600, color: theme.vars?.palette.warning.main },
  '& a': {
    display: 'inline-block',
    lineHeight: '44px',
    color: theme.vars?.palette.primary.main,
    textUnderlineOffset: 4,
  },
}))

const Wrong = styled('p')(({ theme }) => ({
  maxWidth: '40em',
  margin: '32px 0 48px',
  color: theme.vars?.palette.text.primary,
}))
