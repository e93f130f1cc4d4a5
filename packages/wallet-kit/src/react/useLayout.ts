import { useEffect, useState } from 'react'
import { isOnPhone } from './platform.ts'

/** List and pane side by side, one column, or a sheet for thumbs. */
export type Layout = 'wide' | 'compact' | 'phone'

const readLayout = (): Layout => {
  if (isOnPhone()) return 'phone'
  return window.innerWidth >= 768 ? 'wide' : 'compact'
}

/** Follows the window once it has not been resized for 500 ms. */
export function useLayout(): Layout {
  const [layout, setLayout] = useState(readLayout)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const onResize = () => {
      clearTimeout(timer)
      timer = setTimeout(() => setLayout(readLayout()), 500)
    }
    window.addEventListener('resize', onResize)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('resize', onResize)
    }
  }, [])
  return layout
}
