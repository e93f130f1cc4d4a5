import { zoneOfPage } from '@lineage/referral-api/days'
import { useLocation, useSearchParams } from 'react-router-dom'
import { TimeZoneContext } from './lib/format.ts'
import { useTranslation } from './lib/i18n.ts'
import { lookupOf } from './paths.ts'
import { Frame } from './shared/frame/Frame.tsx'
import { lazyWithPreload } from './shared/frame/lazyWithPreload.tsx'
import { NotFound } from './shared/frame/MessagePage.tsx'

const pages = {
  community: lazyWithPreload(() => import('./routes/Community.tsx')),
  metrics: lazyWithPreload(() => import('./routes/Metrics.tsx')),
  search: lazyWithPreload(() => import('./routes/Search.tsx')),
  referrals: lazyWithPreload(() => import('./routes/Referrals.tsx')),
  referrers: lazyWithPreload(() => import('./routes/Referrers.tsx')),
}

/** Loads the code of a path's page before the first render. */
export async function preloadPage(pathname: string): Promise<void> {
  const name = lookupOf(pathname)
  // A failure is shown when the page renders.
  if (name) await pages[name].preload().catch(() => undefined)
}

/** Maps paths to pages; each page loads when first opened. */
export function Router() {
  const { language } = useTranslation().i18n
  const [parameters] = useSearchParams()
  const name = lookupOf(useLocation().pathname)
  const Page = name ? pages[name] : NotFound
  return (
    <TimeZoneContext value={zoneOfPage(parameters, language)}>
      <Frame>
        <Page />
      </Frame>
    </TimeZoneContext>
  )
}
