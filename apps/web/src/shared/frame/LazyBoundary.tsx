import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useNotify } from '../../lib/notices.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'

type Props = {
  children: ReactNode
  /** Closes a part that the person opened and that failed. A notice says so; other parts are left out silently. */
  onError?: () => void
}

/** Renders nothing while lazy children load, and nothing when they fail. */
export function LazyBoundary({ children, onError }: Props) {
  const { t } = useTranslation()
  const notify = useNotify()
  const close = () => {
    notify(t('broken.part.text'), 'error')
    onError?.()
  }
  return (
    <ErrorBoundary fallback={() => null} {...(onError && { onError: close })}>
      <Suspense>{children}</Suspense>
    </ErrorBoundary>
  )
}
