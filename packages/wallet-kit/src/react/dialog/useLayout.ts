import { useEffect, useState } from 'react'
import { isOnPhone } from '../device/device.ts'

/** `wide`: list and step side by side; `compact`: one column; `phone`: a sheet. */
export type Layout = 'wide' | 'compact' | 'phone'

const readLayout = (): Layout => {
  if (isOnPhone()) return 'phone'
  return window.innerWidth >= 768 ? 'wide' : 'compact'
}

/** Returns the layout for the window, updated 500 ms after the last resize. */
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
