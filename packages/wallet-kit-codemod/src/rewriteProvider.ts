import type {
  CallExpression,
  JSXAttribute,
  JSXClosingElement,
  JSXOpeningElement,
  Node,
  ObjectExpression,
} from '@babel/types'
import { avatarAdvice, entryOf, rainbowKit, walletKit } from './names.ts'
import type { SourceFile } from './SourceFile.ts'
import { findValue } from './syntax.ts'

/** Advice for props of `RainbowKitProvider` that `WalletKitProvider` does not have. */
const props: Readonly<Record<string, string>> = {
  appInfo: '`appInfo` is left out: give `appName`, `learnMoreUrl` and `disclaimer`, a text, to `createWalletKit`.',
  coolMode: '`coolMode` is left out: the kit has none.',
  id: '`id` is left out: give it to `createWalletKit`.',
  initialChain: '`initialChain` is left out: give it to `createWalletKit`.',
  modalSize: '`modalSize` is left out: the dialog takes the size that the screen has room for.',
  showRecentTransactions: '`showRecentTransactions` is left out: the account dialog always shows them.',
}

/**
 * Rewrites `RainbowKitProvider` and removes the provider of sign-in.
 *
 * @param findKit - Returns the name of the kit. Called only if the file has a provider.
 */
export function rewriteProvider(file: SourceFile, findKit: () => string): void {
  removeAuthentication(file)
  const provider = file.localOf(rainbowKit, 'RainbowKitProvider')
  for (const { node, parents } of provider === undefined ? [] : file.references(provider)) {
    const parent = parents.at(-1)
    if (parent?.type === 'JSXOpeningElement') rewriteProps(file, parent, findKit())
    else if (!/^(JSX|TS)/.test(parent?.type ?? ''))
      file.note(
        node,
        'Give `WalletKitProvider` the prop `kit`, and check the others: this is not written as an element.',
      )
  }
}

function rewriteProps(file: SourceFile, opening: JSXOpeningElement, kit: string): void {
  file.edits.appendLeft(opening.name.end ?? 0, ` kit={${kit}}`)
  for (const attribute of opening.attributes) {
    if (attribute.type === 'JSXSpreadAttribute') {
      file.note(
        attribute,
        'Check what is spread here: the props are `kit`, `theme`, `avatar`, `locale` and `messages`.',
      )
      continue
    }
    if (nameOf(attribute) === 'avatar' && !isInline(attribute)) file.note(attribute, avatarAdvice)
    if (nameOf(attribute) === 'theme') noteTheme(file, attribute)
    const text = entryOf(props, nameOf(attribute))
    if (text === undefined) continue
    file.note(attribute, text)
    const before = /\s*$/.exec(file.text.slice(0, attribute.start ?? 0))?.[0].length ?? 0
    file.edits.remove((attribute.start ?? 0) - before, attribute.end ?? 0)
  }
}

/** Adds a note on a theme that is `null` or written out: RainbowKit’s form is not the kit’s. */
function noteTheme(file: SourceFile, { value }: JSXAttribute): void {
  const theme = value?.type === 'JSXExpressionContainer' ? value.expression : undefined
  if (theme?.type === 'NullLiteral')
    file.note(theme, 'Remove this: the kit always writes its own styles. Without `theme` it follows light and dark.')
  if (theme?.type === 'ObjectExpression' && !findValue(theme, 'lightMode'))
    file.note(theme, 'Write this theme by hand with `createWalletKitTheme`: the kit’s themes are those of MUI.')
}

/** Returns whether the value of an attribute is a function written in place. */
const isInline = ({ value }: JSXAttribute) =>
  value?.type === 'JSXExpressionContainer' && /Function/.test(value.expression.type)

const nameOf = (attribute: JSXAttribute) => (attribute.name.type === 'JSXIdentifier' ? attribute.name.name : '')

/** Removes the tags of `RainbowKitAuthenticationProvider`, and unwraps its adapter from the call around it. */
function removeAuthentication(file: SourceFile): void {
  const provider = file.localOf(rainbowKit, 'RainbowKitAuthenticationProvider')
  for (const { node, parents } of provider === undefined ? [] : [...file.references(provider)]) {
    const tag = parents.at(-1)
    if (tag?.type === 'JSXOpeningElement')
      file.note(
        node,
        'Give `authentication: { adapter, required: true }` to `createWalletKit`. The kit keeps the status itself.',
      )
    if (tag?.type === 'JSXOpeningElement' || tag?.type === 'JSXClosingElement') removeTag(file, tag, parents.at(-3))
    else file.note(node, 'Remove it: sign-in is an option of `createWalletKit`.')
  }
  for (const { call, parents } of file.calls(file.localOf(rainbowKit, 'createAuthenticationAdapter')))
    rewriteAdapter(file, call, parents.at(-1))
}

/** Removes a tag, or makes it that of a fragment where its children alone would be no expression. */
function removeTag(file: SourceFile, tag: JSXOpeningElement | JSXClosingElement, around: Node | undefined): void {
  if (around?.type === 'JSXElement' || around?.type === 'JSXFragment') file.remove(tag)
  else file.replace(tag, tag.type === 'JSXOpeningElement' ? '<>' : '</>')
}

function rewriteAdapter(file: SourceFile, call: CallExpression, parent: Node | undefined): void {
  const [adapter] = call.arguments
  if (adapter?.type !== 'ObjectExpression') {
    file.note(call, 'Write the adapter as an object that `satisfies AuthenticationAdapter`.')
    return
  }
  file.note(
    findMember(adapter, 'verify') ?? adapter,
    '`verify` returned true or false. Return the session, `{ address, chainId, expiresAt }`, and throw when the signature is wrong.',
  )
  if (!findMember(adapter, 'getSession'))
    file.note(
      adapter,
      'Add `getSession`, which returns the session of this browser or `undefined`. Without it people sign in again after each reload.',
    )
  const body = findMember(adapter, 'getMessageBody')
  if (body) file.note(body, 'Remove `getMessageBody`, and return its text from `createMessage`.')
  const isTyped = /\.[cm]?tsx?$/.test(file.path)
  const type = isTyped ? ` satisfies ${file.wantLocal(`${walletKit}/core`, 'AuthenticationAdapter', 'type')}` : ''
  const text = `${file.edited(adapter)}${type}`
  const isBody = parent?.type === 'ArrowFunctionExpression' && parent.body === call
  file.replace(call, isBody ? `(${text})` : text)
}

const findMember = (object: ObjectExpression, name: string): Node | undefined =>
  object.properties.find((it) => it.type !== 'SpreadElement' && it.key.type === 'Identifier' && it.key.name === name)

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
