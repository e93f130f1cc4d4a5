import { lazy } from 'react'
import { Route, Routes } from 'react-router-dom'
import { paths } from './paths.ts'
import { Frame } from './shared/frame/Frame.tsx'

const pages = {
  community: lazy(() => import('./routes/Community.tsx')),
  metrics: lazy(() => import('./routes/Metrics.tsx')),
  search: lazy(() => import('./routes/Search.tsx')),
  referrals: lazy(() => import('./routes/Referrals.tsx')),
  referrers: lazy(() => import('./routes/Referrers.tsx')),
}
const NotFound = lazy(() => import('./shared/frame/NotFound.tsx'))

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
