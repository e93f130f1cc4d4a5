import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useBroken } from '../frame/BrokenPage.tsx'
import { ErrorBoundary } from '../frame/ErrorBoundary.tsx'
import { LoadError } from '../frame/lazyWithPreload.tsx'
import { FailureLayout } from './FailureLayout.tsx'

/**
 * Shows a skeleton while a part of a page loads, and a failure in its place when its script cannot be loaded; the rest
 * of the page stays.
 */
export function AnswerBoundary({ skeleton, children }: { skeleton: ReactNode; children: ReactNode }) {
  return (
    <ErrorBoundary
      fallback={(error) => {
        if (error instanceof LoadError) return <BrokenAnswer />
        throw error
      }}
    >
      <Suspense fallback={skeleton}>{children}</Suspense>
    </ErrorBoundary>
  )
}

function BrokenAnswer() {
  const { t } = useTranslation()
  return <FailureLayout form="broken" title={t('broken.part.title')} {...useBroken()} />
}
