import { styled } from '@mui/material/styles'

// The parts that several steps share.

export const StepColumn = styled('div')({
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  width: '100%',
  textAlign: 'center',
})

export const StepTitle = styled('h3')({
  margin: 0,
  fontSize: 18,
  lineHeight: '26px',
  fontWeight: 600,
  overflowWrap: 'anywhere',
})

export const StepText = styled('p')(({ theme }) => ({
  margin: '6px 0 0',
  maxWidth: 320,
  minHeight: 42,
  fontSize: 14,
  lineHeight: '21px',
  color: (theme.vars ?? theme).palette.text.secondary,
  textWrap: 'balance',
}))

/** The row of buttons below a step's text. */
export const StepActions = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  justifyContent: 'center',
  gap: 8,
  marginTop: 28,
  '& .MuiButton-root': { minHeight: 44, paddingInline: 20 },
})

/** A warning beside a wallet. */
export const Notice = styled('p')(({ theme }) => {
  const { palette } = theme.vars ?? theme
  return {
    margin: '12px 0 0',
    paddingInlineStart: 12,
    borderInlineStart: `2px solid ${palette.warning.main}`,
    maxWidth: 320,
    textAlign: 'start',
    fontSize: 13,
    lineHeight: '19px',
    color: palette.text.primary,
  }
})
