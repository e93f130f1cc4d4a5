import { useEffect, useRef } from 'react'

/** Marks a row that scrolls sideways with `data-more`: on which sides it goes on. Begins with what is pressed in view. */
export function useScrollHint() {
  const row = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = row.current
    if (!element) return
    const mark = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element
      const before = scrollLeft > 8 ? ['before'] : []
      const after = scrollWidth - clientWidth - scrollLeft > 8 ? ['after'] : []
      element.dataset.more = [...before, ...after].join(' ')
    }
    const pressed = element.querySelector<HTMLElement>('[aria-pressed="true"]')
    if (pressed) element.scrollLeft = pressed.offsetLeft - (element.clientWidth - pressed.offsetWidth) / 2
    const observer = new ResizeObserver(mark)
    observer.observe(element)
    element.addEventListener('scroll', mark, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', mark)
    }
  }, [])

  return row
}
