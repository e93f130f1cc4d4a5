import type { NodeErrorKind, RpcError } from './NodeError.ts'

/** Classifies a node's error. Codes differ between nodes, so the message is read too. */
export function toErrorKind({ code, message }: RpcError): NodeErrorKind {
  if (code === 3 || /revert/i.test(message)) return 'refused'
  if (code === 429 || rateLimited.test(message)) return 'rate_limited'
  if (code === -32603 || overloaded.test(message)) return 'unreachable'
  if (code === -32601 || unsupported.test(message)) return 'unsupported'
  return missing.test(message) ? 'missing' : 'refused'
}

/**
 * Matches "request limit reached - reduce calls per second", "exceeded the RPS limit", "credits limited to 6000/sec",
 * "cu limit".
 */
const rateLimited =
  /too many requests|rate.?limit|request limit|(requests?|calls) per (second|minute)|\/se?c|\b(rps|cups?|cu)\b|credits|quota|usage limit|capacity|compute units|throughput/i
const overloaded = /internal error|overload|temporarily|no backend/i
const unsupported = /(method|eth_getLogs) .*(not |un)(found|supported|available|allowed|exist)|does not exist|disabled/i
const missing =
  /(header|block|state) not found|cannot be found|unknown block|beyond current head|missing trie node|pruned|not available|archive|no state|ancient/i
