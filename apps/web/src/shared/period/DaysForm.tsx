import { isDay } from '@lineage/referral-api/days'
import { styled } from '@mui/material/styles'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useLocation, useNavigationType, useSearchParams } from 'react-router-dom'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { type Days, withChanges } from '../../paths.ts'
import { Announced } from '../frame/Announcer.tsx'
import { Button } from '../frame/Button.tsx'
import { FieldsForm, KeptParameters, UnderlinedInput } from '../frame/controls.tsx'
import { ZoneChoice } from '../frame/ZoneChoice.tsx'

type Name = keyof Days
type Problem = { name: Name; text: 'wrong.day' | 'wrong.future' | 'wrong.order' }

const parameters = { from: 'dayFrom', to: 'dayTo' } as const

/** `now`: Unix seconds of the newest block. `act`: the text of the button. */
type Props = { days: Days; now: number; act: string }

/** Asks for the first and the last day of a period, and puts them into the URL. A link whose state says so focuses the first. */
export function DaysForm({ days, now, act }: Props) {
  const { dayOf, timeZone } = useFormat().calendar
  return <Fields key={`${days.from} ${days.to} ${timeZone}`} days={days} today={dayOf(now)} act={act} tz={timeZone} />
}

function Fields({ days, today, act, tz }: Pick<Props, 'days' | 'act'> & { today: string; tz: string }) {
  const { t } = useLazyTranslation('compare')
  const id = useId()
  const [, setParameters] = useSearchParams()
  const [draft, setDraft] = useState(days)
  const [problem, setProblem] = useState<Problem>()
  const first = useRef<HTMLInputElement>(null)
  const { state } = useLocation()
  const type = useNavigationType()
  useEffect(() => {
    // The browser keeps the state for a reload, Back and Forward.
    if (type !== 'POP' && state?.focus === 'days') first.current?.focus()
  }, [state, type])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const found = findProblem(draft, today)
    setProblem(found)
    if (found) return event.currentTarget.querySelector<HTMLInputElement>(`[name="${parameters[found.name]}"]`)?.focus()
    const changes = { dayFrom: draft.from, dayTo: draft.to, tz }
    setParameters((current) => withChanges(current, changes), { replace: true })
  }
  return (
    <Form noValidate onSubmit={submit}>
      <KeptParameters without={['dayFrom', 'dayTo']} />
      {(['from', 'to'] as const).map((name) => (
        <label key={name} htmlFor={`${id}-${name}`}>
          <span>{t(name)}</span>
          <UnderlinedInput
            ref={name === 'from' ? first : undefined}
            id={`${id}-${name}`}
            type="date"
            name={parameters[name]}
            max={today}
            value={draft[name]}
            onChange={(event) => {
              setDraft({ ...draft, [name]: event.target.value })
              setProblem(undefined)
            }}
            aria-invalid={problem?.name === name}
            aria-describedby={`${id}-problem`}
          />
        </label>
      ))}
      <ZoneChoice />
      <Button type="submit" variant="outlined" sx={{ minHeight: 44 }}>
        {act}
      </Button>
      <p id={`${id}-problem`}>
        <Announced>{problem && t(problem.text)}</Announced>
      </p>
    </Form>
  )
}

function findProblem({ from, to }: Days, today: string): Problem | undefined {
  for (const [name, day] of [['from', from] as const, ['to', to] as const]) {
    if (!isDay(day)) return { name, text: 'wrong.day' }
    if (day > today) return { name, text: 'wrong.future' }
  }
  return from > to ? { name: 'to', text: 'wrong.order' } : undefined
}

const Form = styled(FieldsForm)({ marginBottom: 20 })
