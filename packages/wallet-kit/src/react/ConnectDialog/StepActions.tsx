import { styled } from '@mui/material/styles'

/** The buttons under a step's text. */
export const StepActions = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  justifyContent: 'center',
  gap: 8,
  marginTop: 28,
  '& .MuiButton-root': { minHeight: 44, paddingInline: 20 },
})
