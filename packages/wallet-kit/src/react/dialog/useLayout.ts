import { useEffect, useState } from 'react'
import { isOnPhone } from '../device/device.ts'

/** `wide`: list and step side by side; `compact`: one column; `phone`: a sheet. */
export type Layout = 'wide' | 'compact' | 'phone'

const readLayout = (view: Window): Layout => {
  if (isOnPhone()) return 'phone'
  return view.innerWidth >= 768 ? 'wide' : 'compact'
}

/** Returns the layout for a window, updated 500 ms after the last resize. */
export function useLayout(view: Window): Layout {
  const [layout, setLayout] = useState(() => readLayout(view))
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const onResize = () => {
      clearTimeout(timer)
      timer = setTimeout(() => setLayout(readLayout(view)), 500)
    }
    view.addEventListener('resize', onResize)
    return () => {
      clearTimeout(timer)
      view.removeEventListener('resize', onResize)
    }
  }, [view])
  return layout
}
