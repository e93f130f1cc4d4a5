import { styled } from '@mui/material/styles'

/** A button styled as text. */
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
