import { styled } from '@mui/material/styles'
import { filledNode } from '../../lib/theme.ts'

/** Renders text with a dot: filled for members, empty for others. */
export const MembershipMark = styled('span')(({ theme }) => ({
  '&::before': {
    content: '""',
    display: 'inline-block',
    width: 7,
    height: 7,
    marginRight: 8,
    borderRadius: '50%',
    boxSizing: 'border-box',
    border: `1.5px solid ${theme.vars?.palette.text.secondary}`,
  },
  '&[data-member="true"]': {
    color: theme.vars?.palette.primary.main,
    '&::before': filledNode,
  },
}))
