import { styled } from '@mui/material/styles'

/** Renders a row with a sentence and its buttons below the labels. */
export const ActionsRow = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '8px 12px',
  paddingTop: 16,
  '& p': { flex: '1 1 300px', margin: 0, fontSize: '0.8125rem' },
  '& .button': { minHeight: 44 },
})
