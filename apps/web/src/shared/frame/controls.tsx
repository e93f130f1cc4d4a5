import { styled } from '@mui/material/styles'
import { useSearchParams } from 'react-router-dom'
import { keptOnPage } from '../../paths.ts'

export const TextButton = styled('button')(({ theme }) => ({
  minHeight: 44,
  padding: 0,
  border: 0,
  background: 'none',
  color: theme.vars?.palette.primary.main,
  font: 'inherit',
  fontSize: '0.8125rem',
  cursor: 'pointer',
  '&:hover': { textDecoration: 'underline', textUnderlineOffset: 4 },
}))

/** A paragraph in the colour of secondary text. */
export const Quiet = styled('p')(({ theme }) => ({ margin: 0, color: theme.vars?.palette.text.secondary }))

/** A form whose labelled inputs and button stand side by side, with a problem below them. */
export const FieldsForm = styled('form')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'end',
  gap: '8px 24px',
  '& label': { flex: '0 1 180px', fontSize: '0.8125rem', color: theme.vars?.palette.text.secondary },
  '& input': { color: theme.vars?.palette.text.primary, colorScheme: 'inherit' },
  '& p': {
    flexBasis: '100%',
    margin: 0,
    fontSize: '0.8125rem',
    color: theme.vars?.palette.error.main,
    '&:empty': { display: 'none' },
  },
}))

/** Props of a field for a day. With a latest one, browsers end the year after four digits, also where it comes first. */
export const dayField = { type: 'date', max: '9999-12-31' } as const

/** An input with a bottom border only. */
export const UnderlinedInput = styled('input')(({ theme }) => ({
  width: '100%',
  height: 44,
  boxSizing: 'border-box',
  padding: 0,
  border: 0,
  borderBottom: `1px solid ${theme.vars?.palette.text.primary}`,
  borderRadius: 0,
  outline: 0,
  background: 'none',
  color: 'inherit',
  font: 'inherit',
  fontSize: '1rem',
  '&::placeholder': { color: theme.vars?.palette.text.secondary, opacity: 1 },
  // Safari shows today in an empty field, and dims it against the colour of the field: without one, it looks filled in.
  '&[type="date"]': { backgroundColor: theme.vars?.palette.background.default },
  '&:focus': {
    borderColor: theme.vars?.palette.primary.main,
    boxShadow: `0 1px 0 ${theme.vars?.palette.primary.main}`,
  },
  '&[aria-invalid="true"]': { borderColor: theme.vars?.palette.error.main, boxShadow: 'none' },
}))

/** A `<select>` with a bottom border only. It has an arrow of its own: a native one has a frame in WebKit on Linux. */
export const UnderlinedSelect = styled('select')(({ theme }) => ({
  display: 'block',
  appearance: 'none',
  width: '100%',
  height: 44,
  padding: '0 16px 0 0',
  border: 0,
  borderBottom: `1px solid ${theme.vars?.palette.text.primary}`,
  borderRadius: 0,
  background: `conic-gradient(from -45deg at 50% 100%, currentcolor 90deg, transparent 0) right / 10px 5px no-repeat ${theme.vars?.palette.background.default}`,
  color: theme.vars?.palette.text.primary,
  font: 'inherit',
  fontSize: '1rem',
  // Firefox draws no gradients then.
  '@media (forced-colors: active)': { appearance: 'auto' },
}))

/** Returns props that deactivate a busy button without `disabled`, which would drop its focus. */
export const busyButtonProps = (isBusy: boolean, onClick: () => void) => ({
  'aria-disabled': isBusy,
  onClick: () => {
    if (!isBusy) onClick()
  },
})

/** Returns the container for menus: the main landmark, so that screen readers announce where a menu belongs. */
export const menuContainer = () => document.getElementById('main')

/** Keeps the parameters of the URL when the browser itself sends a form, before or without the scripts. */
export function KeptParameters({ without }: { without: readonly string[] }) {
  const [parameters] = useSearchParams()
  return [...parameters]
    .filter(([name]) => keptOnPage.includes(name) && !without.includes(name))
    .map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />)
}
