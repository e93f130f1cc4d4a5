import { useEffect, useState } from 'react'

export type CopyState = 'idle' | 'copied' | 'failed'

const copiedFor = 1500

/** Copies a text; says "copied" for 1,500 ms, and "failed" until the next try. */
export function useCopy(text: string): { state: CopyState; copy: () => void } {
  const [state, setState] = useState<CopyState>('idle')
  useEffect(() => {
    if (state !== 'copied') return
    const timer = setTimeout(() => setState('idle'), copiedFor)
    return () => clearTimeout(timer)
  }, [state])
  const copy = () => {
    // Absent on pages that are not served securely.
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('No clipboard'))
    written.then(
      () => setState('copied'),
      () => setState('failed'),
    )
  }
  return { state, copy }
}
