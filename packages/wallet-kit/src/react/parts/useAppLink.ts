import { type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { storeDeepLink } from '../../core/wallets/deepLink.ts'
import { openOutsideTelegram } from '../device/appLinks.ts'
import { useConnectState } from './connectContext.tsx'

/** Milliseconds after which the app has not opened if the page is still visible. */
const openTimeout = 2_500

/**
 * Opens the wallet's app by a link: at once if the tap on its row still counts as a user gesture, otherwise by a tap on
 * the link. iOS opens no app without a gesture.
 */
export function useAppLink(): { ref: RefObject<HTMLAnchorElement | null>; onClick: (event: MouseEvent) => void } {
  const { appLink: href, wallet, setAppMissing } = useConnectState()
  const ref = useRef<HTMLAnchorElement>(null)
  const isFirst = useRef(true)
  const [opened, setOpened] = useState(0)

  useEffect(() => {
    if (!href || !isFirst.current) return
    isFirst.current = false
    if (navigator.userActivation?.isActive) ref.current?.click()
  }, [href])

  useEffect(() => {
    if (opened === 0) return
    const timer = setTimeout(() => setAppMissing(document.visibilityState === 'visible'), openTimeout)
    return () => {
      clearTimeout(timer)
      setAppMissing(false)
    }
  }, [opened, setAppMissing])

  const onClick = (event: MouseEvent) => {
    if (!href || !wallet) return
    storeDeepLink(href, wallet.names?.en ?? wallet.name)
    if (openOutsideTelegram(href)) event.preventDefault()
    setOpened((count) => count + 1)
  }
  return { ref, onClick }
}
