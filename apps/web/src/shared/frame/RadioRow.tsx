import { styled } from '@mui/material/styles'
import { useId } from 'react'
import { hitArea, visuallyHidden } from '../../lib/theme.ts'

type Props<value extends string> = {
  label: string
  labelled?: 'visibly' | 'aloud'
  value: value
  options: readonly (readonly [value: value, label: string, lang?: string])[]
  onChange: (value: value) => void
}

/** Renders radio buttons side by side. */
export function RadioRow<value extends string>({ label, labelled = 'aloud', value, options, onChange }: Props<value>) {
  const name = useId()
  return (
    <Root data-labelled={labelled}>
      <legend>{label}</legend>
      <div>
        {options.map(([option, text, lang]) => (
          <label key={option}>
            <input
              type="radio"
              // Otherwise browsers restore the choice before React takes over, which does not see it.
              autoComplete="off"
              name={name}
              checked={option === value}
              onChange={() => onChange(option)}
            />
            <span lang={lang}>{text}</span>
          </label>
        ))}
      </div>
    </Root>
  )
}

const Root = styled('fieldset')(({ theme }) => ({
  minWidth: 0,
  margin: 0,
  padding: 0,
  border: 0,
  fontSize: '0.8125rem',
  '& legend': { padding: 0, marginBottom: 6, color: theme.vars?.palette.text.secondary },
  '&[data-labelled="aloud"] legend': visuallyHidden,
  '&[data-labelled="visibly"]': { marginTop: 20 },
  '& > div': { display: 'flex', flexWrap: 'wrap', gap: '8px 18px' },
  '& label': { ...hitArea('-4px -9px'), cursor: 'pointer' },
  '& input': { position: 'absolute', inset: 0, margin: 0, opacity: 0, cursor: 'pointer' },
  '& span': {
    display: 'block',
    lineHeight: '36px',
    color: theme.vars?.palette.text.secondary,
    borderBottom: '1px solid transparent',
    transition: 'color 160ms ease-out, border-color 160ms ease-out',
  },
  '& label:hover span': { color: theme.vars?.palette.text.primary },
  '& input:checked + span': {
    color: theme.vars?.palette.text.primary,
    fontWeight: 500,
    borderColor: theme.vars?.palette.primary.main,
  },
  // Print says what was chosen.
  '@media print': { '& label:has(input:not(:checked))': { display: 'none' }, '& span': { border: 0 } },
  // A transparent border would be drawn with forced colours, as if each were chosen.
  '@media (forced-colors: active)': {
    '& span': { borderColor: 'Canvas' },
    '& input:checked + span': { borderColor: 'Highlight' },
  },
  '& input:focus-visible + span': { outline: `2px solid ${theme.vars?.palette.primary.main}`, outlineOffset: 2 },
}))
