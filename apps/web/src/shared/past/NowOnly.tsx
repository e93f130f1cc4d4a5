import { useSearchParams } from 'react-router-dom'
import { LazyBoundary } from '../frame/ErrorBoundary.tsx'
import { lazyWithPreload } from '../frame/lazyWithPreload.tsx'

const NowNote = lazyWithPreload(() => import('./NowNote.tsx'))

/** Shows a note that the page shows the present, if its link names a day or block. */
export function NowOnly() {
  const [parameters] = useSearchParams()
  return (
    parameters.has('asOf') && (
      <LazyBoundary>
        <NowNote />
      </LazyBoundary>
    )
  )
}
