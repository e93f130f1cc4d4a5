import { styled } from '@mui/material/styles'

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
