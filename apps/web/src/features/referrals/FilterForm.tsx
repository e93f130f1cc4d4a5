import type { Member, Token } from '@lineage/referral-api'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { type FormEvent, type InputHTMLAttributes, useId, useState } from 'react'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { phone } from '../../lib/theme.ts'
import { useFormat } from '../../lib/useFormat.ts'
import { RadioRow } from '../../shared/frame/RadioRow.tsx'
import { UnderlinedInput } from '../../shared/frame/UnderlinedInput.tsx'
import { type FilterName, type FilterProblem, type FilterTexts, findProblems } from './downlineFilter.ts'

type Props = { texts: FilterTexts; member: Member; token: Token | null; onFilter: (texts: FilterTexts) => void }
type Typed = Exclude<FilterName, 'bound'>

const whole = { inputMode: 'numeric' } as const
const inputs: Record<Typed, InputHTMLAttributes<HTMLInputElement>> = {
  joinedFrom: { type: 'date' },
  joinedTo: { type: 'date' },
  levelFrom: whole,
  levelTo: whole,
  minTeam: whole,
  minVolume: { inputMode: 'decimal' },
  activeSince: { type: 'date' },
  prefix: { placeholder: '0x…', maxLength: 42 },
}

/** Renders the form of the filters. Reports contradictions before it sends anything. */
export function FilterForm({ texts, member, token, onFilter }: Props) {
  const { t } = useLazyTranslation('filters')
  const format = useFormat()
  const id = useId()
  const [draft, setDraft] = useState(texts)
  const [problems, setProblems] = useState<Partial<Record<FilterName, FilterProblem>>>({})
  const set = (name: FilterName, value: string) => {
    setDraft({ ...draft, [name]: value })
    setProblems({ ...problems, [name]: undefined })
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const cleaned = Object.fromEntries(Object.entries(draft).map(([name, text]) => [name, text.trim()])) as FilterTexts
    const found = findProblems(cleaned, { token, team: member.team, now: member.asOf.timestamp })
    setProblems(found)
    const [first] = Object.keys(found)
    if (!first) return onFilter(cleaned)
    event.currentTarget.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
  }
  const names = (Object.keys(inputs) as Typed[]).filter((name) => name !== 'minVolume' || token)
  return (
    <Form noValidate onSubmit={submit}>
      {names.map((name) => {
        const problem = problems[name]
        return (
          <div key={name}>
            <label htmlFor={`${id}-${name}`}>
              {t(name)}
              {name === 'minVolume' && ` (${token?.symbol})`}
            </label>
            <UnderlinedInput
              {...inputs[name]}
              id={`${id}-${name}`}
              name={name}
              value={draft[name]}
              onChange={(event) => set(name, event.target.value)}
              aria-invalid={problem !== undefined}
              aria-describedby={`${id}-${name}-problem`}
              autoComplete="off"
              spellCheck={false}
            />
            <p id={`${id}-${name}-problem`} role="status">
              {problem && t(problem, { team: format.count(member.team) })}
            </p>
          </div>
        )
      })}
      <div>
        <RadioRow
          label={t('bound')}
          labelled="visibly"
          value={draft.bound || 'any'}
          options={(['any', 'true', 'false'] as const).map((value) => [value, t(`bound.${value}`)])}
          onChange={(value) => set('bound', value === 'any' ? '' : value)}
        />
        <small>{t('bound.hint')}</small>
      </div>
      <footer>
        <Button type="submit" variant="contained" color="primary" sx={{ minHeight: 44 }}>
          {t('apply')}
        </Button>
        <small>{t('utc')}</small>
      </footer>
    </Form>
  )
}

const Form = styled('form')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(220px, 1fr))',
  gap: '8px 32px',
  alignItems: 'end',
  [phone]: { gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)', columnGap: 20 },
  padding: '12px 0 20px',
  '& label, & small': { fontSize: '0.8125rem', color: theme.vars?.palette.text.secondary },
  '& p': { minHeight: '1.6em', margin: '4px 0 0', fontSize: '0.8125rem', color: theme.vars?.palette.error.main },
  '& fieldset': { marginTop: '0 !important' },
  '& input[type="date"]': { colorScheme: 'inherit' },
  '& footer': { gridColumn: '1 / -1', display: 'flex', alignItems: 'center', gap: 16 },
}))
