import { useEffect, useState } from 'react'
import { copyText } from './copyText.ts'

export type CopyState = 'idle' | 'copied' | 'failed'

const copiedFor = 1500

/** Copies a text; says "copied" for 1,500 ms after the last time, and "failed" until the next. */
export function useCopy(text: string): { state: CopyState; copy: () => void } {
  const [outcome, setOutcome] = useState<{ state: CopyState }>({ state: 'idle' })
  useEffect(() => {
    if (outcome.state !== 'copied') return
    const timer = setTimeout(() => setOutcome({ state: 'idle' }), copiedFor)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = () => void copyText(text).then((isCopied) => setOutcome({ state: isCopied ? 'copied' : 'failed' }))
  return { state: outcome.state, copy }
}
