import { lazy, type ReactNode, useEffect, useMemo, useState } from 'react'
import { createNotices, NoticesContext } from '../../lib/notices.ts'
import { Later } from './Later.tsx'

const Toasts = lazy(() => import('./Toasts.tsx'))

/** Takes notices from the pages; what shows them is loaded with the first one. */
export function NoticesRoot({ children }: { children: ReactNode }) {
  const notices = useMemo(createNotices, [])
  const [stage, setStage] = useState<'quiet' | 'showing'>('quiet')
  useEffect(() => notices.subscribe(() => setStage('showing')), [notices])
  return (
    <NoticesContext value={notices}>
      {children}
      {stage === 'showing' && (
        <Later>
          <Toasts notices={notices} />
        </Later>
      )}
    </NoticesContext>
  )
}
