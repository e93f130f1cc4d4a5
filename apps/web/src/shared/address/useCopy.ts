import { useCallback } from 'react'
import { useTranslation } from '../../lib/i18n.ts'
import { useNotify } from '../../lib/notices.ts'

/** Returns a function that copies text and shows a notice. */
export function useCopy(): (text: string) => Promise<boolean> {
  const { t } = useTranslation()
  const notify = useNotify()
  return useCallback(
    async (text: string) => {
      const isCopied = await copyText(text)
      if (isCopied) notify(t(`copy.done.${kindOf(text)}`), 'success')
      // A link stands nowhere else on the page, and in-app browsers show no address bar.
      else notify([t('copy.failed'), /^https?:/.test(text) && text].filter(Boolean).join(' '), 'error')
      return isCopied
    },
    [t, notify],
  )
}

const kinds = [
  ['link', /^https?:/],
  ['address', /^0x[\da-f]{40}$/i],
  ['transaction', /^0x[\da-f]{64}$/i],
] as const

/** Returns what a copied text is. */
const kindOf = (text: string) => kinds.find(([, pattern]) => pattern.test(text))?.[0] ?? 'text'

/**
 * Copies a text to the clipboard, also in browsers of apps that lack the clipboard API. Resolves with whether it
 * succeeded. The kit does not export its own function, which would make its entries larger.
 */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text)
  }
}

/** Copies the selection of a hidden field, in the open dialog if there is one, which would take the focus back. */
function copySelected(text: string): boolean {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.cssText = 'position:fixed;top:0;opacity:0'
  ;(focused?.closest('[role="dialog"]') ?? document.body).append(field)
  field.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  }
}
