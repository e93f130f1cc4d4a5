import type { TeamMap } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { type RefObject, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { growthSteps, growthTints } from './layoutMap.ts'

type Props = Pick<TeamMap, 'by' | 'since'> & {
  frame: RefObject<HTMLParagraphElement | null>
  isNetwork: boolean
}

/** Explains widths, figures, colours, lower edges and hatching of a map. */
export function MapLegend({ by, since, frame, isNetwork }: Props) {
  const { i18n } = useTranslation()
  const { t } = useLazyTranslation('map')
  const format = useFormat()
  const hatch = useId()
  const percent = new Intl.NumberFormat(format.locale, { style: 'percent' })
  const steps = [
    t('legend.none'),
    ...growthSteps.slice(1).map((end) => t('legend.to', { end: percent.format(end) })),
    t('legend.above', { end: percent.format(growthSteps.at(-1) ?? 0) }),
  ]
  return (
    <Root ref={frame} data-tone={i18n.language.startsWith('zh') ? 'red' : 'green'}>
      <span>{t('legend.width', { by: t(by).toLowerCase() })}</span>
      <span>{t('legend.itself')}</span>
      {isNetwork && by === 'volume' && <span>{t('legend.outside')}</span>}
      <span>{t('legend', { day: format.longDay(since) })}</span>
      {steps.map((text, step) => (
        <span key={text}>
          <svg aria-hidden width={22} height={14}>
            <rect data-step={step} width={22} height={14} />
            {step > 0 && <rect className="edge" y={11} width={[0, 2, 4, 7, 12][step]} height={3} />}
          </svg>
          <span>{text}</span>
        </span>
      ))}
      <span>
        <svg aria-hidden width={22} height={14}>
          <defs>
            <pattern id={hatch} width={7} height={7} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <rect className="hatching" width={1.5} height={7} />
            </pattern>
          </defs>
          <rect data-step={0} width={22} height={14} />
          <rect fill={`url(#${hatch})`} width={22} height={14} />
        </svg>
        <span>{t('legend.rest')}</span>
      </span>
      <span>{t('legend.strip')}</span>
    </Root>
  )
}

const Root = styled('p')(({ theme }) => ({
  ...growthTints(theme),
  display: 'flex',
  flexWrap: 'wrap',
  gap: '4px 14px',
  margin: '10px 0 0',
  fontSize: '0.75rem',
  color: theme.vars?.palette.text.secondary,
  '& > span': { display: 'inline-flex', alignItems: 'center', gap: 6 },
  '& .edge': { fill: 'var(--growth)' },
  '& .hatching': { fill: `color-mix(in srgb, ${theme.vars?.palette.text.primary} 30%, transparent)` },
}))
