import { type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import { createNotices, NoticesContext } from '../../lib/notices.ts'
import { whenIdle } from '../../lib/whenIdle.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { type LoadError, lazyWithPreload } from './lazyWithPreload.tsx'

const Toasts = lazyWithPreload(() => import('./Toasts.tsx'))

/** Provides the notices. The toasts are loaded when the page is idle, so that they also show offline. */
export function NoticesProvider({ children }: { children: ReactNode }) {
  const notices = useMemo(createNotices, [])
  const [stage, setStage] = useState<'quiet' | 'showing'>('quiet')
  useEffect(() => notices.subscribe(() => setStage('showing')), [notices])
  // If that fails, the first notice loads them.
  useEffect(() => whenIdle(() => void Toasts.preload().catch(({ forget }: LoadError) => forget())), [])
  return (
    <NoticesContext value={notices}>
      {children}
      {stage === 'showing' && (
        // The next notice tries again.
        <ErrorBoundary fallback={() => null} onError={() => setStage('quiet')}>
          <Suspense>
            <Toasts notices={notices} />
          </Suspense>
        </ErrorBoundary>
      )}
    </NoticesContext>
  )
}
