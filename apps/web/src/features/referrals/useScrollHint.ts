import { useEffect, useRef } from 'react'

/** Sets `data-more` on a horizontally scrolling row to the sides with hidden content, and scrolls the pressed item into view. */
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
