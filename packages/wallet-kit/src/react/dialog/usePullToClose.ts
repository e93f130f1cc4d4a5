import { type PointerEvent, useRef } from 'react'

/** A pull closes from this distance (pixels) or this speed (pixels per millisecond). */
const minDistance = 120
const minSpeed = 0.5

/**
 * Returns handlers for a sheet that follows a finger pulling its header (`data-pull`) down, and then closes or
 * springs back. It is only a shortcut: Close and Esc always work.
 */
export function usePullToClose(onClose: () => void) {
  const pull = useRef<{ y: number; at: number }>(undefined)
  const release = (event: PointerEvent<HTMLElement>) => {
    if (!pull.current) return
    const distance = event.clientY - pull.current.y
    const speed = distance / (event.timeStamp - pull.current.at)
    pull.current = undefined
    const isMeant = event.type === 'pointerup' && (distance > minDistance || (distance > 24 && speed > minSpeed))
    if (isMeant) return onClose()
    event.currentTarget.style.transition = 'translate 160ms ease-out'
    event.currentTarget.style.translate = ''
  }
  return {
    onPointerDown: ({
      isPrimary,
      pointerType,
      target,
      currentTarget,
      clientY,
      timeStamp,
    }: PointerEvent<HTMLElement>) => {
      const isHead = target instanceof Element && target.closest('[data-pull]') && !target.closest('button')
      if (!isHead || !isPrimary || pointerType === 'mouse') return
      pull.current = { y: clientY, at: timeStamp }
      currentTarget.style.transition = 'none'
    },
    onPointerMove: ({ currentTarget, clientY }: PointerEvent<HTMLElement>) => {
      if (pull.current) currentTarget.style.translate = `0px ${Math.max(0, clientY - pull.current.y)}px`
    },
    onPointerUp: release,
    onPointerCancel: release,
  }
}
