import { type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { storeDeepLink } from '../core/deepLink.ts'
import { openOutsideTelegram } from './openOutsideTelegram.ts'

/** How long an app may take to come up. */
const openTimeout = 2_500

export type UseOpenAppReturnType = {
  ref: RefObject<HTMLAnchorElement | null>
  onClick: (event: MouseEvent) => void
  /** The link was followed, and the page is still the one that is seen. */
  isStillHere: boolean
}

/**
 * Follows the link to an app: at once while the tap that asked for it still counts as one, later by a tap on the link
 * itself, since a link made after a tap opens no app on iOS.
 */
export function useOpenApp(link: string | undefined, name: string): UseOpenAppReturnType {
  const ref = useRef<HTMLAnchorElement>(null)
  const isFirst = useRef(true)
  const [opened, setOpened] = useState(0)
  const [isStillHere, setStillHere] = useState(false)

  useEffect(() => {
    if (!link || !isFirst.current) return
    isFirst.current = false
    if (navigator.userActivation?.isActive) ref.current?.click()
  }, [link])

  useEffect(() => {
    if (opened === 0) return
    const timer = setTimeout(() => setStillHere(document.visibilityState === 'visible'), openTimeout)
    return () => clearTimeout(timer)
  }, [opened])

  const onClick = (event: MouseEvent) => {
    if (!link) return
    storeDeepLink(link, name)
    if (openOutsideTelegram(link)) event.preventDefault()
    setStillHere(false)
    setOpened((count) => count + 1)
  }
  return { ref, onClick, isStillHere }
}
