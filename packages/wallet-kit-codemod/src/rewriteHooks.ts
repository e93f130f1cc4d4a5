import type { CallExpression, Node } from '@babel/types'
import { dialogHooks, entryOf, rainbowKit } from './names.ts'
import type { SourceFile } from './SourceFile.ts'

/** Renames the fields that the hooks of dialogs return: `{ openConnectModal }` becomes `{ open: openConnectModal }`. */
export function rewriteHooks(file: SourceFile): void {
  for (const [hook, names] of Object.entries(dialogHooks))
    for (const { call, parents } of file.calls(file.localOf(rainbowKit, hook)))
      rewriteResult(file, names, call, parents.at(-1))
}

function rewriteResult(
  file: SourceFile,
  names: Readonly<Record<string, string>>,
  call: CallExpression,
  parent: Node | undefined,
): void {
  if (parent?.type === 'MemberExpression' && parent.property.type === 'Identifier') {
    file.replace(parent.property, entryOf(names, parent.property.name) ?? parent.property.name)
    return
  }
  if (parent?.type !== 'VariableDeclarator' || parent.id.type !== 'ObjectPattern') {
    const pairs = Object.entries(names).map(([old, name]) => `\`${old}\` is \`${name}\``)
    file.note(call, `Rename what it returns: ${pairs.join(', ')}.`)
    return
  }
  for (const property of parent.id.properties)
    if (property.type === 'ObjectProperty' && property.key.type === 'Identifier') {
      const name = entryOf(names, property.key.name)
      if (name !== undefined) file.replace(property, `${name}: ${file.textOf(property.value)}`)
    }
}
