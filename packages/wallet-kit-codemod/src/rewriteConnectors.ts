import type { CallExpression, Node, ObjectExpression } from '@babel/types'
import {
  discovery,
  findStatement,
  type NewKit,
  noteLeftOut,
  noteShown,
  type Statement,
  writeConnector,
  writeDefaultWallets,
  writeKit,
  writeTransports,
} from './kitParts.ts'
import { kitOptions } from './names.ts'
import type { SourceFile } from './SourceFile.ts'
import { findValue, propertiesOf } from './syntax.ts'

/**
 * Rewrites `connectorsForWallets(wallets, app)` or `getDefaultWallets(app)` into a kit directly before wagmi's `createConfig`, whose chains and transports it
 * takes. Returns the name of the kit, or `undefined` if one of the two calls has another form.
 */
export function rewriteConnectors(
  file: SourceFile,
  kit: NewKit,
  call: CallExpression,
  parents: readonly Node[],
): string | undefined {
  const [groups, app] = call.arguments.length === 1 ? [undefined, call.arguments[0]] : call.arguments
  const list = findStatement(parents)
  const [config] = file.calls(file.localOf('wagmi', 'createConfig'))
  const statement = config && findStatement(config.parents)
  const options = config?.call.arguments[0]
  const isFound = app?.type === 'ObjectExpression' && statement && options?.type === 'ObjectExpression'
  const connectors = isFound && propertiesOf(options).find((it) => it.name === 'connectors')
  const place = connectors ? findPlace(connectors.value, call, list?.name) : undefined
  if (!isFound || !(list?.name || place)) {
    file.note(
      call,
      'Write `createWalletKit` by hand, with these wallets and the chains and transports of `createConfig`.',
    )
    return undefined
  }
  const ofKit = [
    ...readApp(file, app),
    ...readChains(file, options),
    `wallets: ${groups ? file.edited(groups) : writeDefaultWallets(file, call)}`,
  ]
  for (const it of propertiesOf(options)) {
    if (['chains', 'transports'].includes(it.name)) file.replace(it, `${it.name}: ${kit.name}.config.${it.name}`)
    // Otherwise wagmi lists announced wallets a second time.
    if (it.name === discovery) file.replace(it, `${discovery}: false`)
  }
  const alone = findValue(options, discovery) ? '' : `,\n  ${discovery}: false`
  const connector = writeConnector(file, kit.name)
  if (connectors && place) {
    if (place === connectors.value) file.replace(connectors, `connectors: [${connector}]`)
    else file.replace(place, connector)
    file.edits.appendLeft(connectors.end ?? 0, alone)
  } else {
    file.note(options, `Put \`${connector}\` among the connectors.`)
    file.edits.appendRight(options.properties[0]?.start ?? 0, `${discovery}: false,\n  `)
  }
  if (list?.name) removeList(file, list, list.name, place)
  // The kit reads the chains, which may be written between the wallets and the configuration.
  const shared = propertiesOf(options).filter(({ name }) => ['chains', 'transports'].includes(name))
  writeKit(file, kit, statement, { options: ofKit, reads: [...call.arguments, ...shared], gap: '\n' })
  noteShown(file, options)
  return kit.name
}

/** Returns the part of a list of connectors that the kit’s connector replaces: all of it, or one spread. */
function findPlace(connectors: Node, call: CallExpression, name: string | undefined): Node | undefined {
  const isWallets = (it: Node) => it === call || (it.type === 'Identifier' && it.name === name)
  if (isWallets(connectors)) return connectors
  const elements = connectors.type === 'ArrayExpression' ? connectors.elements : []
  return elements.find((it) => it?.type === 'SpreadElement' && isWallets(it.argument)) ?? undefined
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

/** Removes the statement with the connectors and one empty line after it, and adds notes on other uses of its name. */
function removeList(file: SourceFile, statement: Statement, name: string, replaced: Node | undefined): void {
  const { start, end } = { start: statement.node.start ?? 0, end: statement.node.end ?? 0 }
  const text = `\`${name}\` is gone. Use \`config.connectors\` of wagmi’s configuration.`
  if (statement.isExported) file.note(statement.node, text)
  for (const { node } of file.references(name))
    if (!isInside(node, statement.node) && !isInside(node, replaced)) file.note(node, text)
  file.edits.remove(start, end)
  const blank = /^[ \t]*(\r?\n){0,2}/.exec(file.text.slice(end))?.[0].length ?? 0
  if (blank > 0) file.edits.remove(end, end + blank)
}

const isInside = (node: Node, outer: Node | undefined) =>
  (node.start ?? 0) >= (outer?.start ?? Number.POSITIVE_INFINITY) && (node.end ?? 0) <= (outer?.end ?? 0)
