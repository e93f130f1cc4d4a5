import { type ReactNode, useMemo } from 'react'
import { LazyBoundary } from '../frame/LazyBoundary.tsx'
import { lazyWithPreload } from '../frame/lazyWithPreload.tsx'
import { createLabelsStore, LabelsContext } from './labelsStore.ts'

const Labels = lazyWithPreload(() => import('./Labels.tsx'))

/** Provides the user's labels. The code that loads and saves them comes after the first load. */
export function LabelsProvider({ children }: { children: ReactNode }) {
  const store = useMemo(createLabelsStore, [])
  return (
    <LabelsContext value={store}>
      {children}
      <LazyBoundary>
        <Labels store={store} />
      </LazyBoundary>
    </LabelsContext>
  )
}
