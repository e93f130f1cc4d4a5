import type { Address, Community } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { Part } from '../../lib/takeOver.tsx'
import { Quiet } from '../frame/controls.tsx'
import { LazyBoundary } from '../frame/ErrorBoundary.tsx'
import { lazyWithPreload } from '../frame/lazyWithPreload.tsx'
import type { At } from '../past/useMoment.ts'
import { useIsPrinting } from './printing.tsx'
import { Columns, Section } from './Section.tsx'

const Activity = lazyWithPreload(() => import('../period/Activity.tsx'))
const Risers = lazyWithPreload(() => import('../period/Risers.tsx'))

type Props = {
  community: Community
  /** The member whose team is counted; `undefined` for the whole community. */
  top?: Address
  /** Time of the newest block, or of a past moment. */
  now: number
  /** Past moment with which the periods end. */
  asOf?: string
  /** The same moment, for a saved chart. */
  at?: At
}

/** Shows how many members were active, and whose teams grew most. Both ask for answers of their own, so they load when they are near. */
export function InPeriods({ community, top, now, asOf, at }: Props) {
  const part = { community, ...(top && { top }) }
  return (
    <Place>
      <LazyBoundary>
        <WhenNear outline={<Outline />}>
          <Part fallback={<Outline />}>
            <Columns>
              <Activity {...part} {...(asOf && { until: now })} {...(at && { at })} />
              <Risers {...part} now={now} {...(asOf && { asOf })} />
            </Columns>
          </Part>
        </WhenNear>
      </LazyBoundary>
    </Place>
  )
}

function Outline() {
  const { t } = useLazyTranslation('charts')
  return (
    <Columns>
      <Section title={t('activity')}>
        <NotLoaded />
      </Section>
      <Section title={t('risers')}>
        <NotLoaded />
      </Section>
    </Columns>
  )
}

/** Says on paper that a part had not been loaded. */
function NotLoaded() {
  const { t } = useLazyTranslation('charts')
  return useIsPrinting() && <Quiet>{t('notLoaded')}</Quiet>
}

/** Reserves the height of both. */
const Place = styled('div')({
  minHeight: 657,
  '@media (max-width: 899.95px)': { minHeight: 1_104 },
  '@media print': { minHeight: 0 },
})

/**
 * Renders its children once they come near the visible part of the page, so that a page does not ask for answers that are
 * not looked at. Its parent reserves their height.
 *
 * @param outline shown until then: titles, for those who jump from heading to heading
 */
export function WhenNear({ outline = <NotLoaded />, children }: { outline?: ReactNode; children: ReactNode }) {
  const [place, setPlace] = useState<'far' | 'near'>('far')
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!frame.current || typeof IntersectionObserver === 'undefined') return setPlace('near')
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setPlace('near'), {
      rootMargin: '400px',
    })
    observer.observe(frame.current)
    return () => observer.disconnect()
  }, [])
  if (place === 'near') return children
  return <div ref={frame}>{outline}</div>
}
