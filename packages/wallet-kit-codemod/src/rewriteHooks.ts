import type { CallExpression, Node } from '@babel/types'
import { dialogHooks, entryOf, rainbowKit, walletKit } from './names.ts'
import { findValue } from './objects.ts'
import { findOpenerUses, isCondition } from './openers.ts'
import type { SourceFile } from './SourceFile.ts'

/** Renames the fields that the hooks of dialogs return: `{ openConnectModal }` becomes `{ open: openConnectModal }`. */
export function rewriteHooks(file: SourceFile): void {
  for (const [hook, { fields, status }] of Object.entries(dialogHooks))
    for (const { call, parents } of file.calls(file.localOf(rainbowKit, hook))) {
      rewriteResult(file, fields, call, parents.at(-1))
      for (const use of findOpenerUses(file, fields, parents))
        if (isCondition(use.node, use.parents)) file.note(use.node, adviseCondition(status))
    }
  noteHashes(file)
}

const adviseCondition = (status: string) =>
  `Change this condition to \`useConnection().status === '${status}'\`, with \`useConnection\` of \`${walletKit}\`. RainbowKit’s function is \`undefined\` while its dialog cannot open, the kit’s is always a function.`

function rewriteResult(
  file: SourceFile,
  fields: Readonly<Record<string, string>>,
  call: CallExpression,
  parent: Node | undefined,
): void {
  if (parent?.type === 'MemberExpression' && parent.property.type === 'Identifier') {
    file.replace(parent.property, entryOf(fields, parent.property.name) ?? parent.property.name)
    return
  }
  if (parent?.type !== 'VariableDeclarator' || parent.id.type !== 'ObjectPattern') {
    const pairs = Object.entries(fields).map(([old, name]) => `\`${old}\` is \`${name}\``)
    file.note(call, `Rename what it returns: ${pairs.join(', ')}.`)
    return
  }
  for (const property of parent.id.properties)
    if (property.type === 'ObjectProperty' && property.key.type === 'Identifier') {
      const name = entryOf(fields, property.key.name)
      const value = file.textOf(property.value)
      if (name !== undefined) file.replace(property, name === value ? name : `${name}: ${value}`)
    }
}

/** Adds notes where a hash of type `string` is added, because the kit takes viem's `Hash`. */
function noteHashes(file: SourceFile): void {
  for (const { parents } of file.calls(file.localOf(rainbowKit, 'useAddRecentTransaction'))) {
    const declarator = parents.at(-1)
    if (declarator?.type !== 'VariableDeclarator' || declarator.id.type !== 'Identifier') continue
    for (const { call } of file.calls(declarator.id.name)) {
      const [added] = call.arguments
      const hash = added?.type === 'ObjectExpression' ? findValue(added, 'hash') : undefined
      if (hash?.type === 'Identifier' && isString(file, hash.name))
        file.note(hash, '`hash` is a `string` here. Give it the type `Hash` of viem, which wagmi’s hooks return.')
    }
  }
}

/** Returns whether a name is declared with the type `string` anywhere in the file. */
const isString = (file: SourceFile, name: string) =>
  [...file.nodes()].some(
    ({ node }) =>
      node.type === 'Identifier' &&
      node.name === name &&
      node.typeAnnotation?.type === 'TSTypeAnnotation' &&
      node.typeAnnotation.typeAnnotation.type === 'TSStringKeyword',
  )
