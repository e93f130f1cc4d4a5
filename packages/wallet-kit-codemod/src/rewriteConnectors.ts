import type { CallExpression, Node, ObjectExpression } from '@babel/types'
import {
  type Declaration,
  discovery,
  endOf,
  exportOf,
  findDeclaration,
  nameKit,
  noteLeftOut,
  noteNames,
  wantKit,
  writeObject,
  writeTransports,
} from './kitParts.ts'
import { kitOptions } from './names.ts'
import { findValue, propertiesOf } from './objects.ts'
import type { SourceFile } from './SourceFile.ts'

/**
 * Rewrites `connectorsForWallets` into a kit directly before wagmi's `createConfig`, whose chains and transports it
 * takes. Returns the name of the kit, or `undefined` if one of the two calls has another form.
 */
export function rewriteConnectors(
  file: SourceFile,
  call: CallExpression,
  parents: readonly Node[],
): string | undefined {
  const [groups, app] = call.arguments
  const list = findDeclaration(file, parents)
  const [config] = file.calls(file.localOf('wagmi', 'createConfig'))
  const declaration = config && findDeclaration(file, config.parents)
  const options = config?.call.arguments[0]
  const isFound = groups && app?.type === 'ObjectExpression' && declaration && options?.type === 'ObjectExpression'
  const connectors = isFound && propertiesOf(options).find((it) => it.name === 'connectors')
  if (!isFound || !(list || (connectors && connectors.value === call))) {
    file.note(
      call,
      'Write `createWalletKit` by hand, with these wallets and the chains and transports of `createConfig`.',
    )
    return undefined
  }
  const name = nameKit(file)
  const ofKit = [...readApp(file, app), ...readChains(file, options), `wallets: ${file.edited(groups)}`]
  for (const it of propertiesOf(options))
    if (['chains', 'transports'].includes(it.name)) file.replace(it, `${it.name}: ${name}.config.${it.name}`)
  // Otherwise wagmi lists announced wallets a second time.
  const alone = findValue(options, discovery) ? [] : [`${discovery}: false`]
  if (connectors && (connectors.value === call || file.textOf(connectors.value) === list?.name))
    file.replace(connectors, [`connectors: [kitConnector(${name})]`, ...alone].join(',\n  '))
  else file.note(options, `Put \`kitConnector(${name})\` among the connectors.`)
  if (list) removeList(file, list)
  // The kit reads the chains, which may be written between the wallets and the configuration.
  const { start } = declaration.statement
  const end = endOf(file, declaration)
  file.edits.prependRight(
    start ?? 0,
    `${exportOf(file)}const ${name} = createWalletKit(${writeObject(ofKit)})${end}\n\n`,
  )
  wantKit(file)
  noteNames(file)
  return name
}

/** Returns the options of `connectorsForWallets` for the kit, with spreads. */
function readApp(file: SourceFile, app: ObjectExpression): string[] {
  noteLeftOut(file, app)
  const others = propertiesOf(app).filter((it) => !kitOptions.includes(it.name))
  return app.properties.filter((it) => !others.some(({ start }) => start === it.start)).map((it) => file.edited(it))
}

/** Returns the chains and transports of `createConfig` for the kit. */
function readChains(file: SourceFile, options: ObjectExpression): string[] {
  const [chains, transports] = ['chains', 'transports'].map((key) =>
    propertiesOf(options).find((it) => it.name === key),
  )
  if (!transports)
    file.note(
      options,
      'The kit reads each chain from its public node: `createConfig` has no `transports`. Give the kit the URLs of your nodes.',
    )
  return [
    ...(chains ? [file.edited(chains)] : []),
    transports ? file.edited(transports) : `transports: ${writeTransports(file, options)}`,
  ]
}

/** Removes the statement with the connectors, and one empty line after it. */
function removeList(file: SourceFile, { statement, name, prefix }: Declaration): void {
  const { start, end } = { start: statement.start ?? 0, end: statement.end ?? 0 }
  if (prefix)
    file.note(
      statement,
      `\`${name}\` is gone. Where it is imported, use \`config.connectors\` of wagmi’s configuration.`,
    )
  file.edits.remove(start, end)
  const blank = /^[ \t]*(\r?\n){0,2}/.exec(file.text.slice(end))?.[0].length ?? 0
  if (blank > 0) file.edits.remove(end, end + blank)
}
