import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { openOutsideTelegram } from '../device/openOutsideTelegram.ts'
import { moveFocusInList } from '../dialog/listKeyboard.ts'
import { PlainButton } from '../dialog/PlainButton.ts'
import { Icon } from '../icons/Icon.tsx'
import { accent } from '../theme/accent.ts'

type DownloadCardProps = { title: string; text?: string; onClick?: () => void; href?: string }

/** Renders one way to get a wallet: a link that leaves the page, or a button to the next step. */
export function DownloadCard({ title, text, href, onClick }: DownloadCardProps) {
  return (
    <Card
      as={href ? 'a' : 'button'}
      tabIndex={0}
      onClick={(event) => {
        if (href && openOutsideTelegram(href)) event.preventDefault()
        onClick?.()
      }}
      {...(href ? { href, target: '_blank', rel: 'noreferrer' } : { type: 'button' as const })}
    >
      <span>
        {title}
        {text && <small>{text}</small>}
      </span>
      <Icon name={href ? 'external' : 'next'} />
    </Card>
  )
}

/** Lays out a column of cards, navigable with arrow keys. */
export function DownloadCards({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <Cards className={className} onKeyDown={moveFocusInList}>
      {children}
    </Cards>
  )
}

const Cards = styled('div')(({ theme }) => ({
  width: '100%',
  maxWidth: 360,
  borderTop: `1px solid ${(theme.vars ?? theme).palette.divider}`,
  '&:empty': { display: 'none' },
}))

const Card = styled(PlainButton)<{ href?: string; target?: string; rel?: string }>(({ theme }) => {
  const { palette } = theme.vars ?? theme
  return {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: 12,
    width: '100%',
    minHeight: 64,
    padding: '10px 8px',
    fontSize: 15,
    lineHeight: '22px',
    color: palette.text.primary,
    borderBottom: `1px solid ${palette.divider}`,
    '& small': { display: 'block', fontSize: 13, lineHeight: '19px', color: palette.text.secondary },
    '& svg': { flex: 'none', color: accent },
    '@media (hover: hover)': { '&:hover': { background: palette.action.hover } },
    '&:focus-visible': { outline: `2px solid ${accent}`, outlineOffset: -2 },
  }
})
