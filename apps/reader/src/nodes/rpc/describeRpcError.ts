import type { RpcError } from './NodeError.ts'

/** Describes a node's error without its message, which may contain the URL, the key or the request. */
export function describeRpcError({ code, message }: RpcError): string {
  const [, meaning] = meanings.find(([pattern]) => pattern.test(message)) ?? []
  return `JSON-RPC error ${code}${meaning ? `, ${meaning}` : ''}`
}

const meanings: readonly [RegExp, string][] = [
  [/revert/i, 'execution reverted'],
  [
    /unauthori[sz]ed|forbidden|authenticat|api.?key|access denied|not in your plan/i,
    'it asks for a key or another plan',
  ],
  [/quota|credits|capacity|usage limit/i, 'its quota is used up'],
  [/too many|rate.?limit|per second/i, 'too many requests'],
]
