import { useEffect, useState } from 'react'
import { copyText } from './copyText.ts'

type CopyState = 'idle' | 'copied' | 'failed'

const copiedDuration = 1500

/** Returns a function that copies a text, and its outcome: `copied` for 1,500 ms, `failed` until the next try. */
export function useCopy(text: string): { state: CopyState; copy: () => void } {
  const [outcome, setOutcome] = useState<{ state: CopyState }>({ state: 'idle' })
  useEffect(() => {
    if (outcome.state !== 'copied') return
    const timer = setTimeout(() => setOutcome({ state: 'idle' }), copiedDuration)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = () => void copyText(text).then((isCopied) => setOutcome({ state: isCopied ? 'copied' : 'failed' }))
  return { state: outcome.state, copy }
}
