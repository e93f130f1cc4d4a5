import { textLimit } from '../../shared/address/parseList.ts'

/** A list that was typed and not looked up yet. */
export type ListDraft = {
  /** Key of the history entry. */
  entry: string
  text: string
}

const storageKey = 'lineage.listDraft'

/** Returns the draft of this tab, which a phone may have discarded and loaded again. */
export function readDraft(): ListDraft | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as Partial<ListDraft> | null
    return typeof stored?.text === 'string'
      ? { entry: String(stored.entry), text: stored.text.slice(0, textLimit) }
      : undefined
  } catch {
    return undefined
  }
}

/** Keeps the draft for this tab, or removes it; ignores a full or forbidden storage. */
export function writeDraft(draft: ListDraft | undefined): void {
  try {
    if (draft) sessionStorage.setItem(storageKey, JSON.stringify({ ...draft, text: draft.text.slice(0, textLimit) }))
    else sessionStorage.removeItem(storageKey)
  } catch {}
}
