import type { Community, Member, ReferralApiError, ReferralClient } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { useApi } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { fonts, phone } from '../../lib/theme.ts'
import { parseAddress } from '../../shared/address/parseAddress.ts'
import { Announced } from '../../shared/frame/Announcer.tsx'
import { Button } from '../../shared/frame/Button.tsx'
import { UnderlinedInput } from '../../shared/frame/controls.tsx'
import { AddressHeader } from '../../shared/lookup/AddressHeader.tsx'
import { AsOfBlock } from '../../shared/lookup/AsOfBlock.tsx'
import { titleOf, toFailure } from '../../shared/lookup/failure.ts'
import { Section } from '../../shared/lookup/Section.tsx'
import { CheckOutcome, CheckSummary, isCalm, OnChainCheck, useOnChainCheck } from './OnChainCheck.tsx'
import { readUpline } from './query.ts'
import { fewHops, UplineList } from './UplineList.tsx'

/** Longest upline without a jump form. */
const longLine = 12

/** Shows a member's upline: the header with the result of the check on chain, the jump form, and the line. */
export function UplineView({ member, community }: { member: Member; community: Community }) {
  const { t } = useTranslation()
  const format = useFormat()
  const api = useApi()
  const check = useOnChainCheck(community, readUpline({ api, community: community.id, member }))
  const [target, setTarget] = useState<{ row: number }>()
  const isLong = member.depth > longLine
  const isFew = member.depth <= fewHops
  const summary = t('referrers.summary', { count: member.depth, number: format.count(member.depth) })
  const goTo = (row: number) => setTarget({ row })
  const start = useEffectEvent(check.run)
  useEffect(() => {
    if (isFew && check.state === 'idle') start()
  }, [isFew, check.state])
  return (
    <>
      <AddressHeader address={member.address} summary={summary}>
        <span>{summary}</span>
        {isFew && <CheckSummary check={check} />}
      </AddressHeader>
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
        {!(isFew && isCalm(check)) && <CheckOutcome check={check} total={member.depth} onRow={goTo} at={target?.row} />}
        <UplineList member={member} community={community} hops={check.hops} target={target} />
      </Section>
      <AsOfBlock asOf={member.asOf} past="open" />
    </>
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

type Props = {
  community: string
  member: Member
  /** Called with the row; the member itself is row 0. */
  onRow: (row: number) => void
}

/** Jumps to a depth or an address in a long upline: the browser's own search finds rendered rows only. */
function JumpForm({ community, member, onRow }: Props) {
  const { t } = useLazyTranslation('upline')
  const { t: common } = useTranslation()
  const format = useFormat()
  const api = useApi()
  const id = useId()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState('')

  async function jump() {
    const found = await findRow(text, { api, community, member })
    if (typeof found === 'number') return onRow(found)
    setProblem(t(found, { depth: format.count(member.depth) }))
  }
  return (
    <Form
      role="search"
      aria-label={t('jump.label')}
      onSubmit={(event) => {
        event.preventDefault()
        setProblem('')
        jump().catch((error: ReferralApiError) => setProblem(common(titleOf(toFailure(error)))))
      }}
    >
      <Input
        aria-label={t('jump.label')}
        aria-describedby={id}
        placeholder={t('jump.placeholder')}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setProblem('')
        }}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="go"
      />
      <Button type="submit" size="small" variant="outlined">
        {t('jump.go')}
      </Button>
      <p id={id}>
        <Announced>{problem}</Announced>
      </p>
    </Form>
  )
}

type Line = { api: ReferralClient; community: string; member: Member }

/** Returns the row of a depth or an address, or the text key of the problem. */
async function findRow(text: string, { api, community, member }: Line) {
  const digits = text.normalize('NFKC').replace(/[\s,]/g, '')
  if (/^\d{1,9}$/.test(digits))
    return Number(digits) <= member.depth ? member.depth - Number(digits) : ('jump.noDepth' as const)
  const parsed = parseAddress(text)
  if (parsed.kind !== 'valid') return 'jump.unreadable' as const
  if (parsed.address === member.address) return 0
  const other = await api.member(community, parsed.address).catch((error: ReferralApiError) => {
    if (error.code === 'member_not_found') return undefined
    throw error
  })
  const row = member.depth - (other?.depth ?? member.depth)
  if (row <= 0) return 'jump.notHere' as const
  // Many members have that depth; one of them is in this upline.
  const { items } = await api.referrers(community, member.address, { skip: row - 1, limit: 1 })
  return items[0]?.address === parsed.address ? row : ('jump.notHere' as const)
}

const Form = styled('form')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '0 10px',
  '& p': {
    flexBasis: '100%',
    margin: '6px 0 0',
    fontSize: '0.8125rem',
    color: theme.vars?.palette.error.main,
    '&:empty': { display: 'none' },
  },
  [phone]: { flexBasis: '100%', marginBottom: 8 },
}))

const Input = styled(UnderlinedInput)({
  width: 168,
  [phone]: { flex: 1 },
  fontFamily: fonts.address,
  textOverflow: 'ellipsis',
  '&::placeholder': { fontFamily: fonts.text, fontSize: '0.875rem' },
})
