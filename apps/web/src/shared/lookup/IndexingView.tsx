import type { Progress } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/useFormat.ts'
import { LineageMark } from '../frame/LineageMark.tsx'

/** The answers are not there yet; they come by themselves. */
export default function IndexingView({ progress }: { progress: Progress | undefined }) {
  const { t } = useTranslation()
  const format = useFormat()
  const phase = progress?.phase ?? 'starting'
  const part = progress && progress.total > 0 ? Math.min(1, progress.done / progress.total) : undefined
  return (
    <Root role="status">
      <LineageMark />
      <div>
        <h2>{t(`indexing.${phase}`)}</h2>
        <p>{t('indexing.text')}</p>
        <div
          role="progressbar"
          aria-label={t(`indexing.${phase}`)}
          aria-valuemin={0}
          aria-valuemax={100}
          {...(part !== undefined && { 'aria-valuenow': Math.round(part * 100) })}
        >
          <span style={{ width: `${(part ?? 0) * 100}%` }} />
        </div>
        {part !== undefined && (
          <small>
            {format.count(progress?.done ?? 0)} / {format.count(progress?.total ?? 0)}
          </small>
        )}
      </div>
    </Root>
  )
}

const Root = styled('section')(({ theme }) => ({
  display: 'flex',
  gap: 28,
  padding: '40px 0 56px',
  '& > div': { flex: 1, maxWidth: 460 },
  '& h2': { ...theme.typography.h2, fontSize: '1.25rem', margin: '0 0 8px' },
  '& p, & small': { margin: 0, color: theme.vars?.palette.text.secondary },
  '& [role="progressbar"]': {
    position: 'relative',
    height: 1,
    margin: '28px 4px 16px 0',
    background: theme.vars?.palette.divider,
    '& span': {
      position: 'absolute',
      inset: '-0.5px auto -0.5px 0',
      background: theme.vars?.palette.primary.main,
      transition: 'width 160ms ease-out',
      '&::after': {
        content: '""',
        position: 'absolute',
        right: -4,
        top: -3,
        width: 8,
        height: 8,
        borderRadius: '50%',
        background: theme.vars?.palette.primary.main,
      },
    },
  },
}))
