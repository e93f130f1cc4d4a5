import { styled } from '@mui/material/styles'
import { useTranslation } from 'react-i18next'

type Props = { direction: 'up' | 'down' | 'none'; text: string }

/** Shows a signed change. A rise is red in Chinese, green elsewhere. */
export function SignedChange({ direction, text }: Props) {
  const { i18n } = useTranslation()
  const convention = i18n.language.startsWith('zh') ? 'redRises' : 'greenRises'
  if (direction === 'none') return <Root data-tone="none">0</Root>
  const isRed = (direction === 'up') === (convention === 'redRises')
  return (
    <Root data-tone={isRed ? 'red' : 'green'}>
      {direction === 'up' ? '+' : '−'}
      {text}
    </Root>
  )
}

const Root = styled('span')(({ theme }) => ({
  whiteSpace: 'nowrap',
  '&[data-tone="red"]': { color: theme.vars?.palette.error.main },
  '&[data-tone="green"]': { color: theme.vars?.palette.primary.main },
  '&[data-tone="none"]': { color: theme.vars?.palette.text.secondary },
}))
