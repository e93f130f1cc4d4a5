import { type ReactNode, Suspense } from 'react'
import { ErrorBoundary } from './ErrorBoundary.tsx'

type Props = { children: ReactNode; onError?: () => void }

/** Renders nothing while lazy children load, and nothing when they fail. */
export function LazyBoundary({ children, onError }: Props) {
  return (
    <ErrorBoundary fallback={null} {...(onError && { onError })}>
      <Suspense>{children}</Suspense>
    </ErrorBoundary>
  )
}
