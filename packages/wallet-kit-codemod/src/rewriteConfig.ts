import type { CallExpression, Node, ObjectExpression } from '@babel/types'
import { kitOptions, rainbowKit, walletKit } from './names.ts'
import { findValue, propertiesOf } from './objects.ts'
import type { SourceFile } from './SourceFile.ts'

/**
 * Rewrites the call that creates the wagmi configuration, `getDefaultConfig` or `connectorsForWallets`, into a kit
 * and wagmi's own `createConfig`. Returns the name of the kit, or `undefined` if the file has no such call.
 */
export function rewriteConfig(file: SourceFile): string | undefined {
  renameDefaultWallets(file)
  const [ready] = file.calls(file.localOf(rainbowKit, 'getDefaultConfig'))
  if (ready) return rewriteDefaultConfig(file, ready.call, ready.parents)
  const [list] = file.calls(file.localOf(rainbowKit, 'connectorsForWallets'))
  return list && rewriteConnectors(file, list.call, list.parents)
}

const discovery = 'multiInjectedProviderDiscovery'

/** Returns `kit`, or another name if the file already uses it. */
const nameKit = (file: SourceFile) => (/\bkit\b/.test(file.text) ? 'walletKit' : 'kit')

function rewriteDefaultConfig(file: SourceFile, call: CallExpression, parents: readonly Node[]): string | undefined {
  const options = call.arguments[0]
  const declaration = findDeclaration(parents)
  if (options?.type !== 'ObjectExpression' || !declaration) {
    file.note(
      call,
      'Write `createWalletKit` and wagmi’s `createConfig` by hand: the options are not an object in a `const`.',
    )
    return undefined
  }
  const name = nameKit(file)
  const entries = propertiesOf(options)
  for (const { name: option, loc } of entries)
    if (option === 'appDescription')
      file.notes.push({
        file: file.path,
        line: loc?.start.line ?? 1,
        text: '`appDescription` is left out: wallets show the name and the icon alone.',
      })
  for (const spread of options.properties)
    if (spread.type !== 'ObjectProperty')
      file.note(spread, 'Decide which of these options are the kit’s and which wagmi’s; they went to wagmi’s.')

  const ofKit = entries.filter((it) => kitOptions.includes(it.name)).map((it) => file.edited(it))
  const isOfWagmi = (it: Node) =>
    !entries.some(
      (entry) => entry.start === it.start && (kitOptions.includes(entry.name) || entry.name === 'appDescription'),
    )
  const ofWagmi = options.properties.filter(isOfWagmi).map((it) => file.edited(it))
  if (!findValue(options, 'transports')) ofKit.push(`transports: ${writeTransports(file, options)}`)
  if (!findValue(options, 'wallets')) {
    ofKit.push('wallets: defaultWallets()')
    file.want(`${walletKit}/wallets`, 'defaultWallets')
  }
  write(file, { declaration, call, name, ofKit, ofWagmi })
  return name
}

function rewriteConnectors(file: SourceFile, call: CallExpression, parents: readonly Node[]): string | undefined {
  const [groups, app] = call.arguments
  const declaration = findDeclaration(parents)
  const [config] = file.calls(file.localOf('wagmi', 'createConfig'))
  const options = config?.call.arguments[0]
  if (!groups || app?.type !== 'ObjectExpression' || !declaration || options?.type !== 'ObjectExpression') {
    file.note(
      call,
      'Write `createWalletKit` by hand, with these wallets and the chains and transports of `createConfig`.',
    )
    return undefined
  }
  const name = nameKit(file)
  const list = declaration.name
  const reads = ['chains', 'transports'].flatMap((key) => propertiesOf(options).filter((it) => it.name === key))
  const ofKit = [...propertiesOf(app).filter((it) => kitOptions.includes(it.name)), ...reads].map((it) =>
    file.edited(it),
  )
  file.replace(
    declaration.statement,
    `${exportOf(file)}const ${name} = createWalletKit(${writeObject([...ofKit, `wallets: ${file.edited(groups)}`])})`,
  )
  for (const read of reads) file.replace(read, `${read.name}: ${name}.config.${read.name}`)
  // Otherwise wagmi lists announced wallets a second time.
  const alone = findValue(options, discovery) ? [] : [`${discovery}: false`]
  const connectors = propertiesOf(options).find((it) => it.name === 'connectors')
  if (connectors && file.textOf(connectors.value) === list)
    file.replace(connectors, [`connectors: [kitConnector(${name})]`, ...alone].join(',\n  '))
  else file.note(options, `Put \`kitConnector(${name})\` among the connectors.`)
  wantKit(file)
  return name
}

/** Returns `export` if the provider, which needs the kit, is in another file. */
const exportOf = (file: SourceFile) => (file.localOf(rainbowKit, 'RainbowKitProvider') === undefined ? 'export ' : '')

type Declaration = { statement: Node; prefix: string; name: string }

/** Returns the statement `const x = …` around a call. */
function findDeclaration(parents: readonly Node[]): Declaration | undefined {
  const [outer, statement, declarator] = parents.slice(-3)
  if (statement?.type !== 'VariableDeclaration' || declarator?.type !== 'VariableDeclarator') return undefined
  if (statement.declarations.length !== 1 || declarator.id.type !== 'Identifier') return undefined
  const isExported = outer?.type === 'ExportNamedDeclaration'
  return { statement: isExported ? outer : statement, prefix: isExported ? 'export ' : '', name: declarator.id.name }
}

function write(
  file: SourceFile,
  it: { declaration: Declaration; call: CallExpression; name: string; ofKit: string[]; ofWagmi: string[] },
): void {
  const { prefix, name, statement } = it.declaration
  const ofWagmi = [
    `chains: ${it.name}.config.chains`,
    `transports: ${it.name}.config.transports`,
    `connectors: [kitConnector(${it.name})]`,
    `${discovery}: false`,
    ...it.ofWagmi.filter((text) => !text.startsWith(discovery)),
  ]
  const end = file.textOf(statement).endsWith(';') ? ';' : ''
  file.replace(
    statement,
    `${exportOf(file)}const ${it.name} = createWalletKit(${writeObject(it.ofKit)})${end}\n${prefix}const ${name} = createConfig(${writeObject(ofWagmi)})${end}`,
  )
  wantKit(file)
  file.want('wagmi', 'createConfig')
}

function wantKit(file: SourceFile): void {
  file.want(`${walletKit}/core`, 'createWalletKit')
  file.want(`${walletKit}/wagmi`, 'kitConnector')
}

const writeObject = (properties: readonly string[]) => `{\n${properties.map((text) => `  ${text},\n`).join('')}}`

/** Writes the transports. Without any, RainbowKit reads each chain from its public node, like `http()`. */
function writeTransports(file: SourceFile, options: ObjectExpression): string {
  const chains = findValue(options, 'chains')
  const names =
    chains?.type === 'ArrayExpression' ? chains.elements.map((it) => (it?.type === 'Identifier' ? it.name : '')) : []
  if (names.length === 0 || names.includes('')) {
    file.note(chains ?? options, 'Write `transports` by hand, one for each chain, such as `{ [mainnet.id]: http() }`.')
    return '{}'
  }
  file.want('wagmi', 'http')
  return `{ ${names.map((name) => `[${name}.id]: http()`).join(', ')} }`
}

/** Replaces `const { wallets } = getDefaultWallets()` with `const wallets = defaultWallets()`. */
function renameDefaultWallets(file: SourceFile): void {
  for (const { call, parents } of file.calls(file.localOf(rainbowKit, 'getDefaultWallets'))) {
    const declarator = parents.at(-1)
    const [property] =
      declarator?.type === 'VariableDeclarator' && declarator.id.type === 'ObjectPattern'
        ? declarator.id.properties
        : []
    if (
      declarator?.type !== 'VariableDeclarator' ||
      property?.type !== 'ObjectProperty' ||
      property.value.type !== 'Identifier'
    ) {
      file.note(call, 'Write `defaultWallets()`, which returns the groups of wallets themselves.')
      continue
    }
    file.replace(declarator, `${property.value.name} = defaultWallets()`)
    file.want(`${walletKit}/wallets`, 'defaultWallets')
  }
}
