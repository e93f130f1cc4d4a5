import type { TeamMap } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { type RefObject, useId } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { useZoneName } from '../frame/ZoneChoice.tsx'
import { growthSteps, growthTints } from './layoutMap.ts'
import { Hatch } from './MapPicture.tsx'

type Props = Pick<TeamMap, 'by' | 'tz' | 'since'> & {
  frame: RefObject<HTMLParagraphElement | null>
  /** Growth of the community. */
  average: number
  isNetwork: boolean
}

/** Explains the colours and the hatching of a map in one line, and the rest on a press. */
export function MapLegend({ by, tz, since, frame, average, isNetwork }: Props) {
  const { i18n } = useTranslation()
  const { t } = useLazyTranslation('map')
  const format = useFormat()
  const nameOf = useZoneName()
  const hatch = useId()
  const percent = new Intl.NumberFormat(format.locale, { style: 'percent', maximumFractionDigits: 1 })
  return (
    <>
      <Root ref={frame} data-tone={i18n.language.startsWith('zh') ? 'red' : 'green'}>
        <span>{t('legend', { growth: percent.format(average) })}</span>
        <span>
          <span>{t('legend.below')}</span>
          {growthSteps.map((step) => (
            <svg key={step} aria-hidden width={22} height={14}>
              <rect data-step={step} width={22} height={14} />
            </svg>
          ))}
          <span>{t('legend.above')}</span>
        </span>
        <span>
          <svg aria-hidden width={22} height={14}>
            <Hatch id={hatch} />
            <rect data-step={2} width={22} height={14} />
            <rect fill={`url(#${hatch})`} width={22} height={14} />
          </svg>
          <span>{t('legend.rest')}</span>
        </span>
      </Root>
      <Details>
        <summary>{t('legend.more')}</summary>
        <span>
          {[
            t('legend.width', { by: t(by).toLowerCase() }),
            t('legend.itself'),
            isNetwork && by === 'volume' && t('legend.outside'),
            t('legend.since', { day: format.longDay(since), zone: nameOf(tz) }),
            t('legend.strip'),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </Details>
    </>
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
  '& .hatching': { fill: `color-mix(in srgb, ${theme.vars?.palette.text.primary} 30%, transparent)` },
}))

const Details = styled('details')(({ theme }) => ({
  fontSize: '0.75rem',
  color: theme.vars?.palette.text.secondary,
  '& summary': { width: 'fit-content', minHeight: 32, lineHeight: '32px', cursor: 'pointer' },
}))
