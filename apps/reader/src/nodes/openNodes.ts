import { setTimeout as delay } from 'node:timers/promises'
import { type Community, listSources } from '@lineage/communities'
import type { Log } from '../log.ts'
import { createNodes, type Nodes } from './createNodes.ts'
import type { Start } from './inspectNodes.ts'
import type { NodeWarning } from './nodeState.ts'

export type NodesForParameters = {
  urls: readonly string[]
  communities: readonly Community[]
  /** Newest final block of the index. */
  finalizedBlock: number
  /** Ids of the communities that have binds in the index. */
  withBinds: readonly string[]
  log: Log
}

const inspectInterval = 5_000
const probeInterval = 10_000

/** Thrown for a node that does not become usable by waiting. */
export class WrongNodeError extends Error {
  override readonly name = 'WrongNodeError'
}

/** Creates the nodes for reading the events of communities. */
export function createNodesFor({ urls, communities, finalizedBlock, withBinds, log }: NodesForParameters): Nodes {
  // Binds in the index can only be of the main event if there is no other one.
  const proven = communities.flatMap(({ id, binds }) => (withBinds.includes(id) && binds.length === 1 ? binds : []))
  return createNodes({
    urls,
    startBlock: findStart(communities).block,
    events: communities.flatMap((community) => Object.values(listSources(community)).flat()),
    proven,
    finalizedBlock,
    log,
  })
}

/**
 * Inspects the nodes, logs their limitations, and waits until one of them can be used. Then probes those that are silent
 * every few seconds.
 *
 * @throws {WrongNodeError} for a node of another chain
 */
export async function openNodes(nodes: Nodes, communities: readonly Community[], log: Log): Promise<void> {
  const logNew = createWarningLog(log)
  let state: 'first' | 'waiting' = 'first'
  for (;;) {
    logNew(await inspect(nodes, findStart(communities)))
    if (nodes.canRead()) break
    if (state === 'first') log('No node can be used yet. Retrying every few seconds.', 'error')
    state = 'waiting'
    await delay(inspectInterval)
  }
  if (state === 'waiting') log('A node is usable now.')
  setInterval(() => void nodes.probe(), probeInterval).unref()
}

function findStart(communities: readonly Community[]): Start {
  const first = communities.reduce((left, right) => (right.startBlock < left.startBlock ? right : left))
  return { block: first.startBlock, address: first.address }
}

async function inspect(nodes: Nodes, start: Start): Promise<NodeWarning[]> {
  const warnings = await nodes.inspect(start).catch((error: Error) => {
    throw new WrongNodeError(error.message)
  })
  const otherChain = warnings.find(({ kind }) => kind === 'node_other_chain')
  if (otherChain) throw new WrongNodeError(otherChain.message)
  return warnings
}

/** Logs each kind of warning of a node once. */
function createWarningLog(log: Log) {
  const logged = new Set<string>()
  return (warnings: readonly NodeWarning[]): void => {
    for (const { kind, node, message } of warnings) {
      if (!logged.has(`${kind} ${node}`)) log(message, 'warn')
      logged.add(`${kind} ${node}`)
    }
  }
}
