import type { Progress } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useFormat } from '../../lib/format.ts'
import { useTranslation } from '../../lib/i18n.ts'
import { Announced } from '../frame/Announcer.tsx'
import { LineageMark } from '../frame/Logo.tsx'
import { ProgressLine } from './ProgressLine.tsx'

/** Shows the progress of indexing until the answer is ready. */
export default function IndexingView({ progress }: { progress: Progress | undefined }) {
  const { t } = useTranslation()
  const format = useFormat()
  const phase = progress?.phase ?? 'starting'
  const part = progress && progress.total > 0 ? Math.min(1, progress.done / progress.total) : undefined
  return (
    <Root>
      <LineageMark />
      <div>
        <h2>
          <Announced>{t(`indexing.${phase}`)}</Announced>
        </h2>
        <p>{t('indexing.text')}</p>
        <ProgressLine label={t(`indexing.${phase}`)} part={part} />
        {part !== undefined && (
          <small>{`${format.count(progress?.done ?? 0)} / ${format.count(progress?.total ?? 0)}`}</small>
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
}))
