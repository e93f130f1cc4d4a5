import { useCallback, useEffect, useState } from 'react'

export type CopyState = 'idle' | 'copied' | 'failed'

const copiedDuration = 1500

/** Returns a function that copies a text, and its outcome: `copied` for 1,500 ms, `failed` until the next try. */
export function useCopy(text: string): { state: CopyState; copy: () => void } {
  const [outcome, setOutcome] = useState<{ state: CopyState }>({ state: 'idle' })
  useEffect(() => {
    if (outcome.state !== 'copied') return
    const timer = setTimeout(() => setOutcome({ state: 'idle' }), copiedDuration)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = useCallback(
    () => void copyText(text).then((isCopied) => setOutcome({ state: isCopied ? 'copied' : 'failed' })),
    [text],
  )
  return { state: outcome.state, copy }
}

/** Copies a text to the clipboard, also on insecure pages and in old WebViews. Resolves with whether it succeeded. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text)
  }
}

/**
 * Copies through the `copy` event, because a text field would take the focus out of a dialog. Safari fires the event
 * only if something is selected.
 *
 * @see https://w3c.github.io/clipboard-apis/#the-copy-action
 */
function copySelected(text: string): boolean {
  const selection = document.getSelection()
  const ranges = Array.from({ length: selection?.rangeCount ?? 0 }, (_, index) => selection?.getRangeAt(index))
  const shown = document.createElement('span')
  shown.textContent = text
  shown.style.cssText =
    'position:fixed;inset:0 auto auto 0;clip-path:inset(50%);white-space:pre;user-select:text;-webkit-user-select:text'
  document.body.append(shown)
  let isCopied = false
  const put = (event: ClipboardEvent) => {
    event.preventDefault()
    event.clipboardData?.setData('text/plain', text)
    isCopied = event.clipboardData !== null
  }
  document.addEventListener('copy', put, { capture: true })
  try {
    selection?.selectAllChildren(shown)
    return document.execCommand('copy') && isCopied
  } catch {
    return false
  } finally {
    document.removeEventListener('copy', put, { capture: true })
    shown.remove()
    selection?.removeAllRanges()
    for (const range of ranges) if (range) selection?.addRange(range)
  }
}
