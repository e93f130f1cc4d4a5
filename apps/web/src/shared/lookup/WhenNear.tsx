import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLazyTranslation } from '../../lib/i18n.ts'
import { Quiet } from '../frame/controls.tsx'
import { useIsPrinting } from './printing.tsx'

/**
 * Renders its children once they come near the visible part of the page, so that a page does not ask for answers that are
 * not looked at. Its parent reserves their height.
 *
 * @param outline shown until then: titles, for those who jump from heading to heading
 */
export function WhenNear({ outline, children }: { outline?: ReactNode; children: ReactNode }) {
  const { t } = useLazyTranslation('period')
  const [place, setPlace] = useState<'far' | 'near'>('far')
  const frame = useRef<HTMLDivElement>(null)
  const isPrinting = useIsPrinting()
  useEffect(() => {
    if (!frame.current || typeof IntersectionObserver === 'undefined') return setPlace('near')
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setPlace('near'), {
      rootMargin: '400px',
    })
    observer.observe(frame.current)
    return () => observer.disconnect()
  }, [])
  if (place === 'near') return children
  return (
    <div ref={frame}>
      {outline}
      {isPrinting && <Quiet>{t('notLoaded')}</Quiet>}
    </div>
  )
}
