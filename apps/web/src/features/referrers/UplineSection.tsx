import type { Community, Member } from '@lineage/referral-api'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '../../lib/api.ts'
import { phone } from '../../lib/theme.ts'
import { Section } from '../../shared/lookup/Section.tsx'
import { JumpForm } from './JumpForm.tsx'
import { CheckOutcome, OnChainCheck } from './OnChainCheck.tsx'
import { readUpline } from './readLinks.ts'
import { UplineList } from './UplineList.tsx'
import { useOnChainCheck } from './useOnChainCheck.ts'

/** Longest upline without a jump form. */
const longLine = 12

/** Shows the upline of a member, with the jump form and the check on chain. */
export function UplineSection({ member, community }: { member: Member; community: Community }) {
  const { t } = useTranslation()
  const api = useApi()
  const check = useOnChainCheck(community, readUpline({ api, community: community.id, member }))
  const [target, setTarget] = useState<{ row: number }>()
  const isLong = member.depth > longLine
  const goTo = (row: number) => setTarget({ row })
  return (
    <Section
      title={t('referrers.title')}
      aside={
        <Tools>
          {isLong && (
            <>
              <JumpForm community={community.id} member={member} onRow={goTo} />
              <Button size="small" variant="outlined" onClick={() => goTo(member.depth)}>
                {t('referrers.jump')}
              </Button>
            </>
          )}
          <OnChainCheck check={check} />
        </Tools>
      }
    >
      <CheckOutcome check={check} total={member.depth} onRow={goTo} at={target?.row} />
      <UplineList member={member} community={community} hops={check.hops} target={target} />
    </Section>
  )
}

/** Lays out the tools above a line. */
export const Tools = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '4px 10px',
  [phone]: { width: '100%' },
  '@media print': { display: 'none' },
})
