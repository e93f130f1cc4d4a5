import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { createNotices, NoticesContext } from '../../lib/notices.ts'
import { LazyBoundary } from './LazyBoundary.tsx'
import { lazyWithPreload } from './lazyWithPreload.tsx'

const Toasts = lazyWithPreload(() => import('./Toasts.tsx'))

/** Provides the notices; the toasts are loaded when the first one is added. */
export function NoticesProvider({ children }: { children: ReactNode }) {
  const notices = useMemo(createNotices, [])
  const [stage, setStage] = useState<'quiet' | 'showing'>('quiet')
  useEffect(() => notices.subscribe(() => setStage('showing')), [notices])
  return (
    <NoticesContext value={notices}>
      {children}
      {stage === 'showing' && (
        <LazyBoundary>
          <Toasts notices={notices} />
        </LazyBoundary>
      )}
    </NoticesContext>
  )
}
