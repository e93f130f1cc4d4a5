import { Route, Routes } from 'react-router-dom'
import { lookupNames, paths } from './paths.ts'
import { Frame } from './shared/frame/Frame.tsx'
import { lazily } from './shared/frame/lazily.tsx'

const pages = {
  community: lazily(() => import('./routes/Community.tsx')),
  metrics: lazily(() => import('./routes/Metrics.tsx')),
  search: lazily(() => import('./routes/Search.tsx')),
  referrals: lazily(() => import('./routes/Referrals.tsx')),
  referrers: lazily(() => import('./routes/Referrers.tsx')),
}
const NotFound = lazily(() => import('./shared/frame/NotFound.tsx'))

/** Fetches the page of a path before it is drawn. */
export async function preloadPage(pathname: string): Promise<void> {
  const name = lookupNames.find((one) => paths[one] === pathname)
  // A failure is met again, and said, where the page is drawn.
  if (name) await pages[name].preload().catch(() => undefined)
}

/** Which page a path is; each is loaded when it is first opened. */
export function Router() {
  return (
    <Frame>
      <Routes>
        <Route path={paths.community} Component={pages.community} />
        <Route path={paths.metrics} Component={pages.metrics} />
        <Route path={paths.search} Component={pages.search} />
        <Route path={paths.referrals} Component={pages.referrals} />
        <Route path={paths.referrers} Component={pages.referrers} />
        <Route path="*" Component={NotFound} />
      </Routes>
    </Frame>
  )
}
