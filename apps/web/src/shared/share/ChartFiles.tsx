import { type Address, type AsOf, nameIn } from '@lineage/referral-api'
import type { Calendar } from '@lineage/referral-api/days'
import MoreIcon from '@mui/icons-material/MoreHorizOutlined'
import { styled } from '@mui/material/styles'
import { type RefObject, useState } from 'react'
import { downloadFile } from '../../lib/downloadFile.ts'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { IconButton } from '../frame/Button.tsx'
import { menuContainer } from '../frame/controls.tsx'
import { LazyBoundary } from '../frame/ErrorBoundary.tsx'
import { Menu, MenuItem, opensMenu } from '../frame/lazyMenu.ts'
import { useCommunity } from '../lookup/useCommunity.ts'
import { type At, momentText, useMoment } from '../past/useMoment.ts'

/** The origin of a chart's data, written below its title in a saved file. */
export type ChartSource = {
  asOf: AsOf
  /** The past moment of the data. */
  at?: At
  /** The member of the chart, unless it shows the whole community. */
  address?: Address
}

type Props = {
  name: string
  chart: RefObject<HTMLElement | null>
  source: ChartSource
  legend?: RefObject<HTMLElement | null>
}

/** Renders the menu that saves a chart as SVG or PNG. */
export default function ChartFiles({ name, chart, source, legend }: Props) {
  const { t } = useLazyTranslation('share')
  const [state, setState] = useState<'ready' | 'failed'>('ready')
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const notes = useNotes(source)
  const { calendar } = useFormat()
  const save = async (format: 'SVG' | 'PNG') => {
    if (!chart.current) return
    const { toSvg, toPng } = await import('./toSvg.ts')
    const svg = toSvg(chart.current, { title: name, notes, legend: legend?.current ?? null })
    const file = format === 'SVG' ? new Blob([svg], { type: 'image/svg+xml' }) : await toPng(svg)
    const parts = [
      'lineage',
      source.address?.slice(0, 10),
      name.replace(/[^\p{L}\p{N}]+/gu, '-'),
      dayOrBlock(source, calendar),
    ]
    downloadFile(`${parts.filter(Boolean).join('-')}.${format.toLowerCase()}`, file)
  }
  return (
    <Root>
      <span role="status">{state === 'failed' && t('failed')}</span>
      <IconButton
        aria-label={t('saveChart', { name })}
        title={t('saveChart', { name })}
        {...opensMenu}
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreIcon fontSize="small" />
      </IconButton>
      {anchor && (
        <LazyBoundary onError={() => setAnchor(null)}>
          <Menu
            open
            anchorEl={anchor}
            container={menuContainer}
            onClose={() => setAnchor(null)}
            slotProps={{ list: { 'aria-label': t('saveChart', { name }) } }}
          >
            {(['SVG', 'PNG'] as const).map((format) => (
              <MenuItem
                key={format}
                onClick={() => {
                  setAnchor(null)
                  save(format).then(
                    () => setState('ready'),
                    () => setState('failed'),
                  )
                }}
              >
                <span>{t('saveAs', { format })}</span>
              </MenuItem>
            ))}
          </Menu>
        </LazyBoundary>
      )}
    </Root>
  )
}

/** Returns the past day or block of a chart, for the name of its file. */
function dayOrBlock({ at }: ChartSource, { dayOf }: Calendar): string | undefined {
  if (!at) return undefined
  return at.timestamp === null ? String(at.block) : dayOf(at.timestamp)
}

function useNotes({ asOf, at, address }: ChartSource): string[] {
  const { t } = useLazyTranslation('share')
  const { t: common, i18n } = useTranslation()
  const format = useFormat()
  const community = useCommunity()
  const moment = useMoment(at, asOf)
  const read = `${t('block', { block: format.count(asOf.block) })} · ${format.moment(asOf.timestamp)}`
  return [
    [nameIn(community.name, i18n.language), address].filter(Boolean).join(' · '),
    `${moment ? momentText(moment, common, format) : read} · ${typeof window === 'undefined' ? '' : window.location.host}`,
  ]
}

const Root = styled('div')(({ theme }) => ({
  // Placed beside the button of the table below a chart.
  float: 'right',
  display: 'flex',
  gap: 16,
  fontSize: '0.8125rem',
  '& > span': { alignSelf: 'center', color: theme.vars?.palette.error.main },
  '& button': { width: 44, height: 44, color: theme.vars?.palette.text.secondary },
  '@media print': { display: 'none' },
}))
