import { setTimeout as delay } from 'node:timers/promises'
import type { Warning } from '@lineage/referral-api'
import { toEventSelector } from 'viem'
import type { Community } from '../config/index.ts'
import { listSources } from '../config/listSources.ts'
import { toContracts } from '../config/toContracts.ts'
import { describeReplaced, findReplaced, type KnownBlock } from '../knownBlocks.ts'
import { createNodes, type Nodes } from './createNodes.ts'
import { createPonderView, type LogSource } from './createPonderView.ts'
import type { Start } from './pool/inspectNodes.ts'
import { readHash } from './rpc/readHash.ts'
import { serveNodes } from './serveNodes.ts'
import { serveWaiting } from './serveWaiting.ts'
import type { NodeWarning } from './state/warnings.ts'

export type OpenNodesParameters = {
  urls: readonly string[]
  communities: readonly Community[]
  /** Newest final block of the index. */
  finalizedBlock?: number
  /** Blocks on which the indexes of the database were built. */
  knownBlocks: readonly KnownBlock[]
  /** Ids of the communities that have binds in the index. */
  withBinds?: readonly string[]
  /** Port of the API. Until the API starts, the reason for waiting is served there. */
  port: number
  log: (message: string) => void
  /** Milliseconds between two attempts while no node can be used. @default 5_000 */
  interval?: number
}

export type OpenedNodes = { nodes: Nodes; url: string }

const probeInterval = 10_000

/** Thrown for a node that does not become usable by waiting. */
export class WrongNodeError extends Error {
  override readonly name = 'WrongNodeError'
}

/**
 * Inspects the nodes, logs their limitations, and waits until one of them can be used.
 *
 * @returns the nodes, and the URL that serves them to Ponder as one
 * @throws {WrongNodeError} for a node of another chain
 */
export async function openNodes(parameters: OpenNodesParameters): Promise<OpenedNodes> {
  const { urls, communities, finalizedBlock, knownBlocks, withBinds = [], port, log, interval = 5_000 } = parameters
  const { startBlock, address } = communities.reduce((left, right) =>
    right.startBlock < left.startBlock ? right : left,
  )
  const nodes = createNodes({
    urls,
    startBlock,
    events: Object.values(toContracts(communities)).map(({ address, abi: [event] }) => ({ address, event })),
    proven: communities.filter((community) => isProven(community, withBinds)),
    log,
    ...(finalizedBlock !== undefined && { finalizedBlock }),
  })
  const logNew = createWarningLog(log)
  let warnings: NodeWarning[] = []
  const inspect = async () => {
    warnings = await inspectAll(nodes, { block: startBlock, address })
    logNew(warnings)
  }

  /** Returns the reason why the nodes cannot be used. */
  const findObstacle = async () => {
    await inspect()
    if (!nodes.canRead())
      return { code: 'nodes_unavailable' as const, warnings: toWarnings(warnings), log: 'No node can be used yet.' }
    const replaced = await findReplaced(knownBlocks, (block) => readHash(nodes.request, block))
    if (!replaced) return undefined
    const message = describeReplaced(replaced, knownBlocks)
    const warning = { kind: 'chain_replaced', node: null, community: null, message } as const
    return { code: 'chain_replaced' as const, warnings: [warning], log: message }
  }

  let obstacle = await findObstacle()
  if (obstacle) {
    log(`${obstacle.log} Retrying every few seconds.`)
    const waiting = serveWaiting(port, () => {
      const found = obstacle?.warnings ?? []
      return {
        code: obstacle?.code ?? 'nodes_unavailable',
        warnings: found,
        note: found.map(({ message }) => message).join(' '),
      }
    })
    while (obstacle) {
      await delay(interval)
      obstacle = await findObstacle()
    }
    await waiting.close()
    log('A node is usable now.')
  }
  setInterval(() => void nodes.probe(), probeInterval).unref()
  const view = createPonderView(nodes.request, toSources(communities))
  return { nodes, url: await serveNodes({ request: view.request, report: nodes.report }) }
}

/** Returns whether binds in the index can only be of the community's main event. */
const isProven = (community: Community, withBinds: readonly string[]) =>
  withBinds.includes(community.id) && listSources(community).binds.length === 1

const toSources = (communities: readonly Community[]): LogSource[] =>
  Object.values(toContracts(communities)).map(({ address, abi: [event] }) => ({
    address,
    topic: toEventSelector(event),
  }))

const toWarnings = (warnings: readonly NodeWarning[]): Warning[] =>
  warnings.map((warning) => ({ ...warning, community: null }))

async function inspectAll(nodes: Nodes, start: Start): Promise<NodeWarning[]> {
  const warnings = await nodes.inspect(start).catch((error: Error) => {
    throw new WrongNodeError(error.message)
  })
  const otherChain = warnings.find(({ kind }) => kind === 'node_other_chain')
  if (otherChain) throw new WrongNodeError(otherChain.message)
  return warnings
}

/** Logs each kind of warning of a node once. */
function createWarningLog(log: (message: string) => void) {
  const logged = new Set<string>()
  return (warnings: readonly NodeWarning[]): void => {
    for (const { kind, node, message } of warnings) {
      if (!logged.has(`${kind} ${node}`)) log(message)
      logged.add(`${kind} ${node}`)
    }
  }
}
