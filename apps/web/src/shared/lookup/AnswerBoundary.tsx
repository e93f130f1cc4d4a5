import type { Address } from '@lineage/referral-api'
import { createContext, type ReactNode, use, useEffect } from 'react'
import { useTranslation } from '../../lib/i18n.ts'
import { Part } from '../../lib/takeOver.tsx'
import { ErrorBoundary } from '../frame/ErrorBoundary.tsx'
import { LoadError } from '../frame/lazyWithPreload.tsx'
import { useBroken } from '../frame/MessagePage.tsx'
import { FailureLayout } from './FailureLayout.tsx'

/** Shows a skeleton while a part of a page loads, and a failure in its place when its script cannot be loaded. */
export function AnswerBoundary({ skeleton, children }: { skeleton: ReactNode; children: ReactNode }) {
  return (
    <ErrorBoundary
      fallback={(error) => {
        if (error instanceof LoadError) return <BrokenAnswer />
        throw error
      }}
    >
      <Part fallback={skeleton}>{children}</Part>
    </ErrorBoundary>
  )
}

function BrokenAnswer() {
  const { t } = useTranslation()
  return <FailureLayout form="broken" title={t('broken.part.title')} {...useBroken()} />
}

/** Called with the address whose answer is shown, and its main figure. */
export const AnswerShownContext = createContext<(address: Address, summary: string) => void>(() => {})

/** Reports that the answer for an address is shown, so that it can be announced; not before its main figure is known. */
export function useAnswerShown(address: Address, summary: string | undefined): void {
  const onShown = use(AnswerShownContext)
  useEffect(() => {
    if (summary !== undefined) onShown(address, summary)
  }, [onShown, address, summary])
}
