import { styled } from '@mui/material/styles'
import { type RefObject, useState } from 'react'
import { downloadFile } from '../../lib/downloadFile.ts'
import { useLazyTranslation } from '../../lib/useLazyTranslation.ts'
import { TextButton } from '../frame/TextButton.tsx'

type Props = {
  name: string
  chart: RefObject<HTMLElement | null>
  /** Lines below the title. */
  notes?: readonly string[]
  legend?: RefObject<HTMLElement | null>
}

/** Renders the buttons that save a chart as SVG and as PNG. */
export default function ChartFiles({ name, chart, notes = [], legend }: Props) {
  const { t } = useLazyTranslation('share')
  const [state, setState] = useState<'ready' | 'failed'>('ready')
  const save = async (format: 'SVG' | 'PNG') => {
    if (!chart.current) return
    const { toSvg, toPng } = await import('./toSvg.ts')
    const svg = toSvg(chart.current, { title: name, notes, legend: legend?.current ?? null })
    const file = format === 'SVG' ? new Blob([svg], { type: 'image/svg+xml' }) : await toPng(svg)
    downloadFile(`lineage-${name.replace(/[^\p{L}\p{N}]+/gu, '-')}.${format.toLowerCase()}`, file)
  }
  return (
    <Root>
      <span role="status">{state === 'failed' && t('failed')}</span>
      {(['SVG', 'PNG'] as const).map((format) => (
        <TextButton
          key={format}
          type="button"
          aria-label={t('saveAs', { name, format })}
          onClick={() =>
            save(format).then(
              () => setState('ready'),
              () => setState('failed'),
            )
          }
        >
          {format}
        </TextButton>
      ))}
    </Root>
  )
}

const Root = styled('div')(({ theme }) => ({
  // Placed beside the button of the table below a chart.
  float: 'right',
  display: 'flex',
  gap: 16,
  fontSize: '0.8125rem',
  '& > span': { alignSelf: 'center', color: theme.vars?.palette.error.main },
  '& button': { minWidth: 44, color: theme.vars?.palette.text.secondary },
  '@media print': { display: 'none' },
}))
