import type { Address, Community } from '@lineage/referral-api'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { useFormat } from '../../lib/useFormat.ts'
import { useTexts } from '../../lib/useTexts.ts'
import { useKit } from '../../lib/wallet.ts'
import { lookupPath } from '../../paths.ts'
import { AddressText } from '../../shared/address/AddressText.tsx'
import { Answer } from '../../shared/lookup/Answer.tsx'
import { AsOf } from '../../shared/lookup/AsOf.tsx'
import { FailureView } from '../../shared/lookup/FailureView.tsx'
import { useMember } from '../../shared/lookup/queries.ts'
import { Rows } from '../../shared/lookup/Rows.tsx'
import { Columns, Section } from '../../shared/lookup/Section.tsx'
import { Skeleton } from '../../shared/lookup/Skeleton.tsx'
import { Subject } from '../../shared/lookup/Subject.tsx'
import { bnb, useOnChain } from './query.ts'
import { Verdict } from './Verdict.tsx'

/** One address: what it is to the community, and what it is to the chain. */
export default function AddressView({ address, community }: { address: Address; community: Community }) {
  const { t } = useTexts('search')
  const { t: common } = useTranslation()
  const query = useMember(community.id, address)
  const isStranger = query.error?.code === 'member_not_found'
  const isMember = query.data?.status === 'member' && !isStranger
  return (
    <>
      <Subject address={address}>
        {(query.data || isStranger) && (
          <Verdict data-member={isMember}>
            {t(isMember ? 'member' : isStranger ? 'stranger' : 'placeholder', {
              name: community.name,
            })}
          </Verdict>
        )}
      </Subject>
      <Columns>
        <Section title={t('inCommunity')}>
          {isStranger ? (
            <Plain>{common('failure.notMember.text')}</Plain>
          ) : (
            <Answer query={query} skeleton={<Skeleton rows={4} />}>
              {(member) => (
                <Membership
                  rows={[
                    [t('referrer'), member.referrer ? <AddressText address={member.referrer} /> : t('noReferrer')],
                    [t('root'), <AddressText key="root" address={member.root} />],
                    [t('depth'), member.depth],
                    ...(member.joinedAt === null
                      ? []
                      : [[t('joined'), <Moment key="joined" seconds={member.joinedAt} />] as const]),
                    [common('member.directs'), <Count key="directs" value={member.directs} />],
                    [common('member.team'), <Count key="team" value={member.team} />],
                  ]}
                />
              )}
            </Answer>
          )}
          {isMember && <Ways address={address} />}
        </Section>
        <OnChain address={address} />
      </Columns>
      {query.data && <AsOf asOf={query.data.asOf} />}
    </>
  )
}

function Membership({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <Rows>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </Rows>
  )
}

function Ways({ address }: { address: Address }) {
  const { t } = useTranslation()
  const [parameters] = useSearchParams()
  return (
    <Buttons>
      {(['community', 'referrals', 'referrers'] as const).map((name) => (
        <Button
          key={name}
          size="small"
          variant="outlined"
          component={Link}
          to={lookupPath(name, parameters, { address })}
        >
          {t(`address.look.${name}`)}
        </Button>
      ))}
    </Buttons>
  )
}

function OnChain({ address }: { address: Address }) {
  const { t } = useTexts('search')
  const format = useFormat()
  const kit = useKit()
  const { data, error, refetch, isFetching } = useOnChain(address)
  return (
    <Section title={t('onChain')}>
      {data ? (
        <Membership
          rows={[
            [t('kind'), t(data.kind)],
            [
              t('balance'),
              <span key="balance" title={format.amountWithUnit(String(data.balance), bnb, 'exact')}>
                {format.amountWithUnit(String(data.balance), bnb)}
              </span>,
            ],
          ]}
        />
      ) : error && kit ? (
        <FailureView failure={{ kind: 'nodes' }} onRetry={() => void refetch()} isRetrying={isFetching} />
      ) : (
        <Skeleton rows={2} />
      )}
    </Section>
  )
}

function Moment({ seconds }: { seconds: number }) {
  const format = useFormat()
  return (
    <time dateTime={new Date(seconds * 1_000).toISOString()} title={format.moment(seconds)}>
      {format.day(seconds)}
    </time>
  )
}

function Count({ value }: { value: number }) {
  return useFormat().count(value)
}

const Buttons = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: 10, marginTop: 18 })

const Plain = styled('p')(({ theme }) => ({ margin: 0, color: theme.vars?.palette.text.secondary }))
