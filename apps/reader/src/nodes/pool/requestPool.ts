import { setTimeout as delay } from 'node:timers/promises'
import { type NodeError, toNodeError } from '../rpc/NodeError.ts'
import { heightOf, isByHash, type RpcRequest } from '../rpc/rpcRequest.ts'
import { nextStep } from '../state/nextStep.ts'
import { isResting } from '../state/pace.ts'
import { now, type Pool } from './node.ts'
import { requestNode } from './requestNode.ts'
import type { Attempt, ChainCheck } from './verifyResult.ts'

/** Sends a request to the nodes in order until one returns a result. */
export async function requestPool(pool: Pool, rpc: RpcRequest, chainCheck: ChainCheck = 'each'): Promise<unknown> {
  const attempt = { deadline: now() + pool.patience, chainCheck }
  const { deadline } = attempt
  let misses = 0
  for (;;) {
    const { result, failures } = await tryEach(pool, rpc, attempt)
    if (result != null) return result
    const time = now()
    const mustExist = isByHash(rpc) || (heightOf(rpc) ?? Number.POSITIVE_INFINITY) <= pool.head.number
    const wakesAt = Math.min(...pool.nodes.map(({ pace }) => pace.restsUntil).filter((until) => until > time))
    const step = nextStep({ failures, isNull: result === null, mustExist, misses, wakesAt, now: time, deadline })
    if (step.action === 'answer_null') return null
    if (step.action === 'fail') throw step.error
    misses = step.misses
    await delay(Math.ceil(step.wait))
  }
}

/**
 * Tries each node once.
 *
 * @returns the first result; `null` if all results were `null`, `undefined` if all nodes failed
 */
async function tryEach(pool: Pool, rpc: RpcRequest, attempt: Attempt) {
  const failures: NodeError[] = []
  let result: unknown
  for (const node of pool.nodes) {
    if (isResting(node.pace, now())) continue
    try {
      // A lagging node returns null for data that the next node has.
      result = await requestNode(pool, node, rpc, attempt)
      if (result !== null) return { result, failures }
    } catch (error) {
      const failure = toNodeError(error)
      if (isFaultOfRequest(failure)) throw failure
      failures.push(failure)
    }
  }
  return { result, failures }
}

/** Returns whether every node would return the same error: the call reverts, or its parameters are wrong. */
function isFaultOfRequest({ kind, rpcError }: NodeError): boolean {
  if (kind !== 'refused' || !rpcError) return false
  return rpcError.code === 3 || rpcError.code === -32602 || /revert/i.test(rpcError.message)
}
