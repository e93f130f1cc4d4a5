import { type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { storeDeepLink } from '../../core/wallets/deepLink.ts'
import { openOutsideTelegram } from '../device/openOutsideTelegram.ts'

/** Milliseconds after which the app has not opened if the page is still visible. */
const openTimeout = 2_500

type UseOpenAppReturnType = {
  ref: RefObject<HTMLAnchorElement | null>
  onClick: (event: MouseEvent) => void
  /** The link was clicked, and the page is still visible after a while. */
  isStillHere: boolean
}

/**
 * Opens an app by a link: at once if the tap on its row still counts as a user gesture, otherwise by a tap on the
 * link. iOS opens no app without a gesture.
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
