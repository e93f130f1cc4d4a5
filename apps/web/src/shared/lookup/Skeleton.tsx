import { keyframes, styled } from '@mui/material/styles'
import { useTranslation } from '../../lib/i18n.ts'
import { useAnnouncedLoading } from '../frame/Announcer.tsx'

/** Renders a placeholder: the lineage line with one node per row. */
export function Skeleton({ rows = 6 }: { rows?: number }) {
  const { t } = useTranslation()
  useAnnouncedLoading(t('loading'))
  return (
    <Root role="status" aria-label={t('loading')}>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row}>
          <i />
        </span>
      ))}
    </Root>
  )
}

const breathe = keyframes({ '0%, 100%': { opacity: 1 }, '50%': { opacity: 0.35 } })

const Root = styled('div')(({ theme }) => ({
  position: 'relative',
  padding: '28px 0 40px 4px',
  '&::before': {
    content: '""',
    position: 'absolute',
    left: 8,
    top: 46,
    bottom: 58,
    width: 1,
    background: `color-mix(in srgb, ${theme.vars?.palette.text.primary} 22%, transparent)`,
  },
  '& span': {
    display: 'flex',
    alignItems: 'center',
    height: 44,
    animation: `${breathe} 1.6s ease-in-out infinite`,
    '&::before': {
      content: '""',
      position: 'relative',
      width: 9,
      height: 9,
      marginRight: 22,
      borderRadius: '50%',
      background: theme.vars?.palette.background.default,
      boxShadow: `inset 0 0 0 1.5px color-mix(in srgb, ${theme.vars?.palette.text.primary} 36%, transparent)`,
    },
  },
  '& i': { height: 10, background: theme.vars?.palette.divider },
  ...Object.fromEntries(
    [46, 28, 38, 22, 33, 26].map((width, row) => [
      `& span:nth-of-type(6n + ${row + 1})`,
      { animationDelay: `${row * 90}ms`, '& i': { width: `${width}%` } },
    ]),
  ),
}))
