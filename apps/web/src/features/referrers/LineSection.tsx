import type { Community, Member } from '@lineage/referral-api'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { phone } from '../../lib/theme.ts'
import { Section } from '../../shared/lookup/Section.tsx'
import { ChainCheck, CheckOutcome } from './ChainCheck.tsx'
import { ChainOfReferrers } from './ChainOfReferrers.tsx'
import { JumpForm } from './JumpForm.tsx'
import { useChainCheck } from './useChainCheck.ts'

/** A shorter line is seen as a whole. */
const longLine = 12

/** The line from a member up to its root, with the ways along it and the check of it on chain. */
export function LineSection({ member, community }: { member: Member; community: Community }) {
  const { t } = useTranslation()
  const check = useChainCheck(community, member)
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
          <ChainCheck check={check} />
        </Tools>
      }
    >
      <CheckOutcome check={check} total={member.depth} onRow={goTo} at={target?.row} />
      <ChainOfReferrers member={member} community={community} hops={check.hops} target={target} />
    </Section>
  )
}

const Tools = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '4px 10px',
  // The drawn button is smaller than what answers a finger.
  '& .MuiButton-root': { position: 'relative', '&::after': { content: '""', position: 'absolute', inset: '-6px 0' } },
  [phone]: { width: '100%' },
  '@media print': { display: 'none' },
})
