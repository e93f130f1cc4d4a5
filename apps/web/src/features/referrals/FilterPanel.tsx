import type { Community, Member, Token } from '@lineage/referral-api'
import { useCloseOnBack } from '@lineage/wallet-kit'
import CloseIcon from '@mui/icons-material/CloseOutlined'
import { styled } from '@mui/material/styles'
import { type FormEvent, type InputHTMLAttributes, useId, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { type Format, useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { phone } from '../../lib/theme.ts'
import { dayNames } from '../../paths.ts'
import { Announced } from '../../shared/frame/Announcer.tsx'
import { Button } from '../../shared/frame/Button.tsx'
import { dayField, TextButton, UnderlinedInput } from '../../shared/frame/controls.tsx'
import { RadioRow } from '../../shared/frame/RadioRow.tsx'
import { useZoneName, ZoneChoice } from '../../shared/frame/ZoneChoice.tsx'
import {
  type FilterName,
  type FilterProblem,
  type FilterTexts,
  fieldNames,
  findProblems,
  grades,
  noFilter,
  readTexts,
} from './downlineFilter.ts'
import type { Change } from './useDownlineView.ts'

type Props = {
  member: Pick<Member, 'team' | 'asOf'>
  community: Pick<Community, 'tokens' | 'grades'>
  change: Change
  form: 'closed' | 'open'
  /** `past`: without the days of amounts, which only the present has. */
  moment?: 'past'
  /** Closes the form and moves the focus to the button that opens it. */
  onClose: () => void
}

/** Shows the filters of a downline, each with a button to remove it, and the form to change them. */
export default function FilterPanel({ member, community, change, form, moment, onClose }: Props) {
  useCloseOnBack({ isOpen: form === 'open', onClose })
  const { t } = useLazyTranslation('filters')
  const gradeText = useGradeText()
  const zone = useZoneName()()
  const format = useFormat()
  const token = community.tokens.volume
  const [parameters] = useSearchParams()
  const texts = readTexts(parameters)
  const problems = findProblems(texts, knownOf({ member, token }, format))
  const given = fieldNames.filter((name) => texts[name] !== '' && (name !== 'minVolume' || token))
  const textOf = (name: FilterName) => {
    if (name === 'bound' && /^(true|false)$/.test(texts.bound)) return t(`bound.${texts.bound as 'true'}`)
    const grade = name === 'grade' && grades.find((one) => one === texts.grade)
    if (days.includes(name)) return `${texts[name]} ${zone}`
    return grade ? gradeText(grade) : texts[name]
  }
  const apply = (next: FilterTexts) => {
    const changes = fieldNames.map((name) => [name, next[name] || null])
    const isByDay = days.some((name) => next[name] !== '')
    change({
      ...Object.fromEntries(changes),
      ...(isByDay && { tz: format.timeZone }),
      level: 'all',
      sort: null,
      order: null,
    })
    onClose()
  }
  return (
    <Root>
      <div className="line">
        {given.map((name) => {
          const text = `${t(name)} ${textOf(name)}${name === 'minVolume' ? ` ${token?.symbol}` : ''}`
          return (
            <button
              key={name}
              type="button"
              className="given"
              aria-label={t('remove', { filter: text })}
              onClick={() => {
                change({ [name]: null })
                onClose()
              }}
            >
              <span>{text}</span>
              <CloseIcon fontSize="inherit" />
            </button>
          )
        })}
        {given.length > 1 && (
          <TextButton
            type="button"
            onClick={() => {
              change(noFilter)
              onClose()
            }}
          >
            {t('clear')}
          </TextButton>
        )}
      </div>
      {form === 'closed' &&
        given.map((name) => {
          const problem = problems[name]
          return (
            problem && (
              <Problem key={name} role="alert">
                {`${t(name)} ${textOf(name)} – ${t(problem, { team: format.count(member.team) })}`}
              </Problem>
            )
          )
        })}
      {form === 'open' && (
        <FilterForm
          key={JSON.stringify(texts)}
          texts={texts}
          member={member}
          token={token}
          hasAmounts={!moment && (token !== null || community.tokens.reward !== null)}
          grades={community.grades}
          onFilter={apply}
        />
      )}
    </Root>
  )
}

/** Returns what the filters of a team are compared with. */
const knownOf = ({ member, token }: Pick<FormProps, 'member' | 'token'>, format: Pick<Format, 'calendar'>) => ({
  token,
  team: member.team,
  today: format.calendar.dayOf(member.asOf.timestamp),
})

const Problem = styled('p')(({ theme }) => ({
  margin: '4px 0 0',
  fontSize: '0.8125rem',
  color: theme.vars?.palette.error.main,
}))

/** Returns the function that names a grade. */
function useGradeText(): (grade: Community['grades'][number]) => string {
  const { t } = useLazyTranslation('filters')
  const { t: common } = useTranslation()
  return (grade) => (grade === 'exact' ? t('exactDate') : common(`grade.${grade}`))
}

const Root = styled('div')(({ theme }) => ({
  '& .line': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '6px 10px',
    minHeight: 44,
    '&:empty': { display: 'none' },
  },
  '& .given': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: 6,
    minHeight: 36,
    padding: '0 10px',
    border: `1px solid ${theme.vars?.palette.primary.main}`,
    background: 'none',
    color: theme.vars?.palette.primary.main,
    font: 'inherit',
    fontSize: '0.8125rem',
    cursor: 'pointer',
  },
  '@media print': { '& .button, & form': { display: 'none' } },
}))

type FormProps = {
  texts: FilterTexts
  member: Props['member']
  token: Token | null
  hasAmounts: boolean
  grades: Community['grades']
  onFilter: (texts: FilterTexts) => void
}
type Typed = Exclude<FilterName, 'bound' | 'grade'>

const days: readonly FilterName[] = ['joinedFrom', 'joinedTo', 'activeSince', ...dayNames]
/** The fields that are always shown, in pairs: the form of a phone has two columns. */
const firstInputs = ['joinedFrom', 'joinedTo', 'levelFrom', 'levelTo'] as const
const moreInputs = ['minVolume', 'activeSince', 'prefix'] as const
/** Fields that ask for amounts, not for members. */
const amountInputs: readonly Typed[] = dayNames

const whole = { inputMode: 'numeric' } as const
const inputs: Record<Typed, InputHTMLAttributes<HTMLInputElement>> = {
  joinedFrom: dayField,
  joinedTo: dayField,
  levelFrom: whole,
  levelTo: whole,
  minTeam: whole,
  minVolume: { inputMode: 'decimal' },
  activeSince: dayField,
  dayFrom: dayField,
  dayTo: dayField,
  prefix: { placeholder: '0x…', maxLength: 42 },
}

/** Renders the form of the filters. Reports contradictions before it sends anything. */
function FilterForm({ texts, member, token, hasAmounts, grades, onFilter }: FormProps) {
  const { t } = useLazyTranslation('filters')
  const gradeText = useGradeText()
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
    const found = findProblems(cleaned, knownOf({ member, token }, format))
    setProblems(found)
    const [first] = Object.keys(found)
    if (!first) return onFilter(cleaned)
    event.currentTarget.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
  }
  const more = moreInputs.filter((name) => name !== 'minVolume' || token)
  const field = (name: Typed) => {
    const problem = problems[name]
    return (
      <div key={name}>
        <label htmlFor={`${id}-${name}`}>
          <span>{t(name)}</span>
          {name === 'minVolume' && <span>{` (${token?.symbol})`}</span>}
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
        <p id={`${id}-${name}-problem`}>
          <Announced>{problem && t(problem, { team: format.count(member.team) })}</Announced>
        </p>
      </div>
    )
  }
  return (
    <Form noValidate onSubmit={submit}>
      {firstInputs.map(field)}
      {hasAmounts && amountInputs.map(field)}
      {field('minTeam')}
      <details open={[...more, 'grade' as const].some((name) => draft[name] !== '' || problems[name])}>
        <summary>{t('more')}</summary>
        <div>
          {more.map(field)}
          {grades.length > 1 && (
            <RadioRow
              label={t('grade')}
              labelled="visibly"
              value={grades.find((grade) => grade === draft.grade) ?? 'any'}
              options={(['any', ...grades] as const).map((value) => [
                value,
                value === 'any' ? t('any') : gradeText(value),
              ])}
              onChange={(value) => set('grade', value === 'any' ? '' : value)}
            />
          )}
        </div>
      </details>
      <footer>
        <Button type="submit" variant="contained" color="primary" sx={{ minHeight: 44, whiteSpace: 'nowrap' }}>
          {t('apply')}
        </Button>
        <ZoneChoice />
      </footer>
    </Form>
  )
}

const grid = {
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(220px, 1fr))',
  gap: '8px 32px',
  alignItems: 'end',
  [phone]: { gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)', columnGap: 20 },
}

const Form = styled('form')(({ theme }) => ({
  ...grid,
  padding: '12px 0 20px',
  '& details': { gridColumn: '1 / -1', '& > div': grid },
  '& summary': {
    minHeight: 44,
    lineHeight: '44px',
    fontSize: '0.8125rem',
    color: theme.vars?.palette.primary.main,
    cursor: 'pointer',
  },
  '& label, & small': { fontSize: '0.8125rem', color: theme.vars?.palette.text.secondary },
  '& p': { minHeight: '1.6em', margin: '4px 0 0', fontSize: '0.8125rem', color: theme.vars?.palette.error.main },
  '& fieldset': { marginTop: '0 !important' },
  // Radio buttons of different heights begin on one line.
  '& details fieldset': { alignSelf: 'start' },
  '& input[type="date"]': { colorScheme: 'inherit' },
  '& footer': { gridColumn: '1 / -1', display: 'flex', alignItems: 'center', gap: 16 },
}))
