import type { CallExpression, Node } from '@babel/types'
import { dialogHooks, entryOf, rainbowKit, walletKit } from './names.ts'
import { findValue } from './objects.ts'
import { findOpenerUses, isCondition } from './openers.ts'
import { findInScope, isMember } from './reads.ts'
import type { SourceFile } from './SourceFile.ts'

/** Renames the fields that the hooks of dialogs return: `{ openConnectModal }` becomes `{ open: openConnectModal }`. */
export function rewriteHooks(file: SourceFile): void {
  for (const [hook, { fields, status }] of Object.entries(dialogHooks))
    for (const { call, parents } of file.calls(file.localOf(rainbowKit, hook))) {
      rewriteResult(file, fields, call, parents)
      for (const use of findOpenerUses(file, fields, parents))
        if (isCondition(use.node, use.parents)) file.note(use.node, adviseCondition(status))
    }
  noteHashes(file)
}

const adviseCondition = (status: string) =>
  `Change this condition to \`useConnection().status === '${status}'\`, with \`useConnection\` of \`${walletKit}\`. RainbowKit’s function is \`undefined\` while its dialog cannot open, the kit’s is always a function.`

type Fields = Readonly<Record<string, string>>

function rewriteResult(file: SourceFile, fields: Fields, call: CallExpression, parents: readonly Node[]): void {
  const parent = parents.at(-1)
  if (rewriteMember(file, fields, call, parent)) return
  const declared = parent?.type === 'VariableDeclarator' ? parent.id : undefined
  if (declared?.type === 'Identifier') {
    for (const it of findInScope(file, declared.name, parents))
      if (it.node !== declared && !rewriteMember(file, fields, it.node, it.parents.at(-1)))
        noteFields(file, fields, it.node)
  } else if (declared?.type === 'ObjectPattern') {
    for (const property of declared.properties) {
      if (property.type !== 'ObjectProperty' || property.key.type !== 'Identifier') {
        noteFields(file, fields, property)
        continue
      }
      const name = entryOf(fields, property.key.name)
      const value = file.textOf(property.value)
      if (name !== undefined) file.replace(property, name === value ? name : `${name}: ${value}`)
    }
  } else noteFields(file, fields, call)
}

/** Renames the field in `value.openConnectModal`. Returns whether the parent reads a field of the value. */
function rewriteMember(file: SourceFile, fields: Fields, value: Node, parent: Node | undefined): boolean {
  if (!isMember(parent) || parent.object !== value || parent.property.type !== 'Identifier') return false
  file.replace(parent.property, entryOf(fields, parent.property.name) ?? parent.property.name)
  return true
}

function noteFields(file: SourceFile, fields: Fields, node: Node): void {
  const pairs = Object.entries(fields).map(([old, name]) => `\`${old}\` is now \`${name}\``)
  file.note(node, `Rename the fields that are read here: ${pairs.join(', ')}.`)
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
