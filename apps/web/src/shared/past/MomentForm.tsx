import type { AsOf } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { type FormEvent, useId, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { lookupPath, withChanges } from '../../paths.ts'
import { Button } from '../frame/Button.tsx'
import { FieldsForm, menuContainer, UnderlinedInput } from '../frame/controls.tsx'
import { LazyBoundary } from '../frame/ErrorBoundary.tsx'
import { Menu, MenuItem, opensMenu } from '../frame/lazyMenu.ts'
import { ZoneChoice } from '../frame/ZoneChoice.tsx'

type Name = 'day' | 'block'
type Problem = { name: Name; text: 'past.none' | 'past.notBlock' }

/** Asks for a day or a block, and puts it into the URL. */
export function MomentForm({ asOf, label, focus }: { asOf?: string; label: string; focus?: 'day' }) {
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
  /** A day and a block exclude each other. */
  const change = (name: Name, value: string) => {
    setDraft({ day: '', block: '', [name]: value })
    setProblem(undefined)
  }
  return (
    <Form noValidate onSubmit={submit} aria-label={label}>
      {(['day', 'block'] as const).map((name) => (
        <label key={name} htmlFor={`${id}-${name}`}>
          <span>{t(`past.${name}`)}</span>
          <UnderlinedInput
            id={`${id}-${name}`}
            name={name}
            autoFocus={name === focus}
            {...(name === 'day' ? { type: 'date' } : { inputMode: 'numeric', autoComplete: 'off' })}
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
      <p id={`${id}-problem`} role="status">
        {problem && t(problem.text)}
      </p>
    </Form>
  )
}

function findProblem({ day, block }: Record<Name, string>): Problem | undefined {
  if (block !== '') return /^\d{1,10}$/.test(block) ? undefined : { name: 'block', text: 'past.notBlock' }
  return day === '' ? { name: 'day', text: 'past.none' } : undefined
}

const Form = styled(FieldsForm)({ '& label': { flexBasis: 150 }, '@media print': { display: 'none' } })

const month = 30 * 86_400

/** Renders the control for the time of the page: now, a past day or block, and for an address two days compared. */
export default function TimeControl({ asOf, choices }: { asOf: AsOf; choices: 'past' | 'past and comparison' }) {
  const { t } = useLazyTranslation('history')
  const { t: compare } = useLazyTranslation('compare')
  const [parameters] = useSearchParams()
  const navigate = useNavigate()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [form, setForm] = useState<'closed' | 'open'>('closed')
  const { dayOf, timeZone: tz } = useFormat().calendar
  const days = { tz, dayFrom: dayOf(asOf.timestamp - month), dayTo: dayOf(asOf.timestamp) }
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setAnchor(null)
    button.current?.focus()
  }
  return (
    <>
      <Button
        ref={button}
        size="small"
        variant="outlined"
        {...opensMenu}
        aria-expanded={anchor !== null}
        aria-label={t('past.time')}
        endIcon={<span aria-hidden>▾</span>}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {t('past.isNow')}
      </Button>
      {anchor && (
        <LazyBoundary onError={close}>
          <Menu open disableRestoreFocus anchorEl={anchor} container={menuContainer} onClose={close}>
            <MenuItem
              onClick={() => {
                setAnchor(null)
                setForm('open')
              }}
            >
              <span>{t('past.open')}</span>
            </MenuItem>
            {choices === 'past and comparison' && (
              <MenuItem
                onClick={() => {
                  close()
                  void navigate(lookupPath('community', parameters, days))
                }}
              >
                <span>{compare('title')}</span>
              </MenuItem>
            )}
          </Menu>
        </LazyBoundary>
      )}
      {form === 'open' && (
        <Place
          onKeyDown={({ key }) => {
            if (key !== 'Escape') return
            setForm('closed')
            button.current?.focus()
          }}
        >
          <MomentForm label={t('past.entry')} focus="day" />
        </Place>
      )}
    </>
  )
}

const Place = styled('div')({ marginTop: 12 })
