import type { Call } from './jsonRpc.ts'

/** Largest amount of gas that a call may name; nodes use 50 million by default. */
const gasLimit = 50_000_000n

const simulations: ReadonlySet<string> = new Set(['eth_call', 'eth_estimateGas'])

/** Deepest nesting of params; no method needs more than half of it. */
const depthLimit = 8

/**
 * Returns why the params of a call are refused: nested too deep to be written as JSON, too much gas, or overrides of the state
 * or block, with which a visitor can make a node run any code.
 */
export function findParamsError({ method, params }: Pick<Call, 'method' | 'params'>): string | undefined {
  if (isDeeperThan(depthLimit, params)) return 'The params are nested too deep.'
  if (!simulations.has(method)) return undefined
  if (!Array.isArray(params)) return 'The params must be a list.'
  const [transaction, , ...overrides] = params
  if (overrides.some((one) => one !== null && one !== undefined))
    return 'Overrides of state or block are not available here.'
  const { gas, gasLimit: otherGas } = Object(transaction) as Record<string, unknown>
  const isTooHigh = [gas, otherGas].some((one) => one !== undefined && one !== null && toGas(one) > gasLimit)
  return isTooHigh ? `The gas must be a number of at most ${gasLimit}.` : undefined
}

const isDeeperThan = (depth: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some((part) => isDeeperThan(depth - 1, part)))

/** Returns an amount of gas; one that is not a number counts as too high. */
function toGas(value: unknown): bigint {
  const isNumber =
    Number.isSafeInteger(value) || (typeof value === 'string' && /^(0x[0-9a-f]{1,16}|\d{1,18})$/i.test(value))
  return isNumber ? BigInt(value as string | number) : gasLimit + 1n
}
