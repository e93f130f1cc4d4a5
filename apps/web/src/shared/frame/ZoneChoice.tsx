import { createCalendar } from '@lineage/referral-api/days'
import { styled } from '@mui/material/styles'
import { useId, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useFormat } from '../../lib/format.ts'
import { useTranslation } from '../../lib/i18n.ts'
import { withChanges } from '../../paths.ts'
import { UnderlinedSelect } from './controls.tsx'

/** Chooses the time zone of all days and times on the page, which is in its URL. In a row of tabs, it has their height. */
export function ZoneChoice({ place = 'form' }: { place?: 'form' | 'row' }) {
  const { t } = useTranslation()
  const id = useId()
  const { timeZone } = useFormat()
  const nameOf = useZoneName()
  const [, setParameters] = useSearchParams()
  // The zone of the device is not known to the server, which renders the page first.
  const [own, setOwn] = useState<string>()
  const zones = new Set([timeZone, 'Asia/Shanghai', 'UTC', ...(own ? [own] : [])])
  return (
    <Root htmlFor={id} data-place={place}>
      <span>{t('zone')}</span>
      <span data-chosen={nameOf(timeZone)}>
        <UnderlinedSelect
          id={id}
          value={timeZone}
          onFocus={() => setOwn(Intl.DateTimeFormat().resolvedOptions().timeZone)}
          onChange={(event) =>
            setParameters((current) => withChanges(current, { tz: event.target.value }), { replace: true })
          }
        >
          {[...zones].map((zone) => (
            <option key={zone} value={zone}>
              {nameOf(zone)}
            </option>
          ))}
        </UnderlinedSelect>
      </span>
    </Root>
  )
}

/** Returns a function that names a time zone, the page's by default, with its clocks. */
export function useZoneName(): (zone?: string) => string {
  const { t } = useTranslation()
  const { timeZone } = useFormat()
  return (zone = timeZone) => {
    const clocks = createCalendar(zone).clocksAt(Date.now() / 1_000)
    if (clocks === zone) return zone
    return `${zone === 'Asia/Shanghai' ? t('zone.beijing') : (zone.split('/').at(-1) ?? '').replaceAll('_', ' ')} ${clocks}`
  }
}

const Root = styled('label')(({ theme }) => ({
  flex: '0 1 200px',
  fontSize: '0.8125rem',
  color: theme.vars?.palette.text.secondary,
  '&[data-place=row]': { display: 'flex', flex: '0 1 auto', flexWrap: 'wrap', alignItems: 'center', gap: '0 8px' },
  // As wide as the chosen zone, also before `field-sizing`: Chrome 123, Safari 26.2.
  '&[data-place=row] > [data-chosen]': {
    position: 'relative',
    maxWidth: '100%',
    paddingRight: 16,
    fontSize: '1rem',
    lineHeight: '44px',
    whiteSpace: 'nowrap',
    '&::before': { content: 'attr(data-chosen)', visibility: 'hidden' },
  },
  '&[data-place=row] select': {
    position: 'absolute',
    inset: 0,
    border: 0,
    textDecoration: 'underline',
    textUnderlineOffset: 4,
  },
  // Also in a row.
  '@media print': { '&&': { display: 'none' } },
}))
