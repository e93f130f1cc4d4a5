import { type PointerEvent, useRef } from 'react'

/** Pixels, and pixels a millisecond, from which on a pull is meant to close. */
const farEnough = 120
const fastEnough = 0.5

/**
 * Handlers for a sheet that follows a finger which pulls it down by its head (`data-pull`), and then closes or goes back.
 * Nothing depends on it: Close and Esc are always there.
 */
export function usePullDown(onClose: () => void) {
  const pull = useRef<{ y: number; at: number }>(undefined)
  const release = (event: PointerEvent<HTMLElement>) => {
    if (!pull.current) return
    const distance = event.clientY - pull.current.y
    const speed = distance / (event.timeStamp - pull.current.at)
    pull.current = undefined
    const isMeant = event.type === 'pointerup' && (distance > farEnough || (distance > 24 && speed > fastEnough))
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
