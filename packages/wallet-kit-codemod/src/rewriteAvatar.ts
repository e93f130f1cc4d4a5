import type { Node } from '@babel/types'
import { avatarAdvice, rainbowKit, walletKit } from './names.ts'
import type { SourceFile } from './SourceFile.ts'

/** Gives components that draw an account the kit's type and its name for the picture: `avatar`, not `ensImage`. */
export function rewriteAvatar(file: SourceFile): void {
  const type = file.localOf(rainbowKit, 'AvatarComponent')
  for (const { node, parents } of type === undefined ? [] : [...file.references(type)]) {
    if (parents.at(-1)?.type !== 'TSTypeReference') continue
    const component = file.wantLocal('react', 'ComponentType', 'type')
    file.replace(node, `${component}<${file.wantLocal(walletKit, 'AvatarProps', 'type')}>`)
  }
  if (type === undefined && file.localOf(rainbowKit, 'RainbowKitProvider') === undefined) return
  for (const { node, parents } of file.nodes())
    if (node.type === 'ObjectProperty' && isImage(node.key) && parents.at(-1)?.type === 'ObjectPattern')
      file.replace(node, `avatar: ${file.textOf(node.value)}`)
    else if (node.type === 'MemberExpression' && isImage(node.property)) file.note(node, avatarAdvice)
}

const isImage = (node: Node) => node.type === 'Identifier' && node.name === 'ensImage'
