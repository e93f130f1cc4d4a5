import type { Address, Community } from '@lineage/referral-api'
import { styled } from '@mui/material/styles'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { Part } from '../../lib/takeOver.tsx'
import { LazyBoundary } from '../frame/ErrorBoundary.tsx'
import { lazyWithPreload } from '../frame/lazyWithPreload.tsx'
import type { At } from '../past/useMoment.ts'
import { Columns, Section } from './Section.tsx'
import { WhenNear } from './WhenNear.tsx'

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
  const { t } = useLazyTranslation('period')
  return (
    <Columns>
      <Section title={t('activity')} />
      <Section title={t('risers')} />
    </Columns>
  )
}

/** Reserves the height of both. */
const Place = styled('div')({
  minHeight: 657,
  '@media (max-width: 899.95px)': { minHeight: 1_104 },
  '@media print': { minHeight: 0 },
})
