import { lazy, type ReactNode, useMemo } from 'react'
import { Later } from '../frame/Later.tsx'
import { createLabels, LabelsContext } from './labels.ts'

const Labels = lazy(() => import('./Labels.tsx'))

/** Has addresses show a person's labels, once what keeps them is loaded. */
export function LabelsRoot({ children }: { children: ReactNode }) {
  const store = useMemo(createLabels, [])
  return (
    <LabelsContext value={store}>
      {children}
      <Later>
        <Labels store={store} />
      </Later>
    </LabelsContext>
  )
}
