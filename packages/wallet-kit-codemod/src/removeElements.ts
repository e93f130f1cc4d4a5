import type { ArrayExpression, Node } from '@babel/types'
import type { SourceFile } from './SourceFile.ts'

/** Removes elements of a list, each with one comma. */
export function removeElements(file: SourceFile, list: ArrayExpression, removed: ReadonlySet<Node>): void {
  let hasKept = false
  for (const [index, element] of list.elements.entries()) {
    if (!element || !removed.has(element)) {
      hasKept = true
      continue
    }
    const [before, after] = [list.elements[index - 1], list.elements[index + 1]]
    const start = (hasKept ? before?.end : element.start) ?? 0
    const end = hasKept ? element.end : (after?.start ?? (list.end ?? 0) - 1)
    if (end) file.edits.remove(start, end)
  }
}

/** Returns whether every element of a list is removed. */
export const isEmptied = (list: ArrayExpression, removed: ReadonlySet<Node>): boolean =>
  list.elements.every((it) => it !== null && removed.has(it))
