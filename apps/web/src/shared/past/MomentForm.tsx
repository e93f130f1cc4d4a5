import { styled } from '@mui/material/styles'
import { type FormEvent, useId, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { withChanges } from '../../paths.ts'
import { Announced } from '../frame/Announcer.tsx'
import { Button } from '../frame/Button.tsx'
import { dayField, FieldsForm, UnderlinedInput } from '../frame/controls.tsx'
import { ZoneChoice } from '../frame/ZoneChoice.tsx'

type Name = 'day' | 'block'
type Problem = { name: Name; text: 'past.none' | 'past.notBlock' }

/** Asks for a day or a block, and puts it into the URL. */
export default function MomentForm({ asOf, focus }: { asOf?: string; focus?: 'day' }) {
  const { t } = useLazyTranslation('history')
  const { timeZone } = useFormat()
  const id = useId()
  const [, setParameters] = useSearchParams()
  const isBlock = /^\d+$/.test(asOf ?? '')
  const [draft, setDraft] = useState({ day: isBlock ? '' : (asOf ?? ''), block: isBlock ? (asOf ?? '') : '' })
  const [problem, setProblem] = useState<Problem>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const block = draft.block.replaceAll(/[\s,]/g, '')
    const found = findProblem({ ...draft, block })
    setProblem(found)
    if (found) return event.currentTarget.querySelector<HTMLInputElement>(`[name="${found.name}"]`)?.focus()
    setParameters((current) => withChanges(current, block ? { asOf: block } : { asOf: draft.day, tz: timeZone }))
  }
  /** Sets the day or the block, and clears the other: a moment is one of the two. */
  const change = (name: Name, value: string) => {
    setDraft({ day: '', block: '', [name]: value })
    setProblem(undefined)
  }
  return (
    <Form noValidate onSubmit={submit} aria-label={t('past.entry')}>
      {(['day', 'block'] as const).map((name) => (
        <label key={name} htmlFor={`${id}-${name}`}>
          <span>{t(`past.${name}`)}</span>
          <UnderlinedInput
            id={`${id}-${name}`}
            name={name}
            autoFocus={name === focus}
            {...(name === 'day' ? dayField : { inputMode: 'numeric', autoComplete: 'off' })}
            value={draft[name]}
            onChange={(event) => change(name, event.target.value)}
            aria-invalid={problem?.name === name}
            aria-describedby={`${id}-problem`}
          />
        </label>
      ))}
      <ZoneChoice />
      <Button type="submit" variant="outlined" sx={{ minHeight: 44 }}>
        {t('past.go')}
      </Button>
      <p id={`${id}-problem`}>
        <Announced>{problem && t(problem.text)}</Announced>
      </p>
    </Form>
  )
}

function findProblem({ day, block }: Record<Name, string>): Problem | undefined {
  if (block !== '') return /^\d{1,10}$/.test(block) ? undefined : { name: 'block', text: 'past.notBlock' }
  return day === '' ? { name: 'day', text: 'past.none' } : undefined
}

const Form = styled(FieldsForm)({ '& label': { flexBasis: 150 }, '@media print': { display: 'none' } })
