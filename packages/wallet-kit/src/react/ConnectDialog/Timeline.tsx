import { styled } from '@mui/material/styles'

type TimelineProps = { items: readonly { title: string; text: string }[] }

/** Renders a list of points along a thin vertical line, one node each. */
export function Timeline({ items }: TimelineProps) {
  return (
    <List>
      {items.map(({ title, text }) => (
        <li key={title}>
          <strong>{title}</strong>
          <span>{text}</span>
        </li>
      ))}
    </List>
  )
}

const List = styled('ol')(({ theme }) => {
  const { palette } = theme.vars ?? theme
  return {
    listStyle: 'none',
    margin: 0,
    padding: 0,
    width: '100%',
    maxWidth: 320,
    '& li': { position: 'relative', paddingInlineStart: 28, paddingBottom: 20, fontSize: 14, lineHeight: '21px' },
    '& li:last-child': { paddingBottom: 0 },
    '& li::before': {
      content: '""',
      position: 'absolute',
      insetInlineStart: 0,
      top: 6,
      width: 9,
      height: 9,
      borderRadius: '50%',
      boxSizing: 'border-box',
      border: `1.5px solid ${palette.primary.main}`,
    },
    '& li:not(:last-child)::after': {
      content: '""',
      position: 'absolute',
      insetInlineStart: 4,
      top: 18,
      bottom: -3,
      width: 1,
      background: palette.divider,
    },
    '& strong': { display: 'block', fontSize: 15, fontWeight: 600 },
    '& span': { display: 'block', color: palette.text.secondary, textWrap: 'pretty' },
  }
})
