import type { AsOf } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { useFormat } from '../../lib/format.ts'
import { useLazyTranslation, useTranslation } from '../../lib/i18n.ts'
import { lookupPath } from '../../paths.ts'
import { Button } from '../frame/Button.tsx'
import { menuContainer } from '../frame/controls.tsx'
import { LazyBoundary, lazyPart } from '../frame/ErrorBoundary.tsx'
import { Menu, MenuItem, opensMenu } from '../frame/lazyMenu.ts'

const MomentForm = lazyPart(() => import('./MomentForm.tsx'))

/** Renders the control for the time of the page: now, a past day or block, and for an address two days compared. */
export default function TimeControl({ asOf, choices }: { asOf: AsOf; choices: 'past' | 'past and comparison' }) {
  const { t } = useTranslation()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [form, setForm] = useState<'closed' | 'open'>('closed')
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setAnchor(null)
    button.current?.focus()
  }
  return (
    <>
      <Button
        ref={button}
        size="small"
        variant="outlined"
        {...opensMenu}
        aria-expanded={anchor !== null}
        aria-label={t('past.time')}
        endIcon={<span aria-hidden>▾</span>}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {t('past.isNow')}
      </Button>
      {anchor && (
        <LazyBoundary onError={close}>
          <TimeMenu
            anchor={anchor}
            days={choices === 'past and comparison' ? asOf : undefined}
            onMoment={() => {
              setAnchor(null)
              setForm('open')
            }}
            onClose={close}
          />
        </LazyBoundary>
      )}
      {form === 'open' && (
        <Place
          onKeyDown={({ key }) => {
            if (key !== 'Escape') return
            setForm('closed')
            button.current?.focus()
          }}
        >
          <MomentForm onError={() => setForm('closed')} focus="day" />
        </Place>
      )}
    </>
  )
}

const month = 30 * 86_400

type MenuProps = {
  anchor: HTMLElement
  /** Offers to compare the month before it. */
  days: AsOf | undefined
  onMoment: () => void
  onClose: () => void
}

/** Renders the choices of the control. Their texts load with the menu. */
function TimeMenu({ anchor, days, onMoment, onClose }: MenuProps) {
  const { t: common } = useTranslation()
  const { t } = useLazyTranslation('history')
  const { t: compare } = useLazyTranslation('compare')
  const [parameters] = useSearchParams()
  const navigate = useNavigate()
  const { calendar, timeZone: tz } = useFormat()
  const compareDays = ({ timestamp }: AsOf) => {
    onClose()
    const [dayFrom, dayTo] = [calendar.dayOf(timestamp - month), calendar.dayOf(timestamp)]
    void navigate(lookupPath('community', parameters, { tz, dayFrom, dayTo }), { state: { focus: 'days' } })
  }
  return (
    <Menu
      open
      disableRestoreFocus
      anchorEl={anchor}
      container={menuContainer}
      onClose={onClose}
      slotProps={{ list: { 'aria-label': common('past.time') } }}
    >
      <MenuItem onClick={onMoment}>
        <span>{t('past.open')}</span>
      </MenuItem>
      {days && (
        <MenuItem onClick={() => compareDays(days)}>
          <span>{compare('title')}</span>
        </MenuItem>
      )}
    </Menu>
  )
}

const Place = styled('div')({ marginTop: 12 })
