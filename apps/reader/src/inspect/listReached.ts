import { contractInfo } from 'evmole'
import type { Hex } from 'viem'

/** An instruction of a code, and the value that it pushes. */
export type Instruction = { at: number; code: number; value?: Hex }

/** Lists the instructions of a code. */
export function listInstructions(code: Hex): Instruction[] {
  const found: Instruction[] = []
  for (let at = 2; at < code.length; at += 2) {
    const one = Number.parseInt(code.slice(at, at + 2), 16)
    const pushed = one >= 0x60 && one <= 0x7f ? one - 0x5f : 0
    const value: Hex = `0x${code.slice(at + 2, at + 2 + pushed * 2)}`
    found.push({ at: at / 2 - 1, code: one, ...(pushed > 0 && { value }) })
    at += pushed * 2
  }
  return found
}

/** Returns the words of 32 bytes that are pushed, topics of events among them. */
export const wordsIn = (instructions: readonly Instruction[]): Hex[] =>
  instructions.flatMap(({ value }) => (value?.length === 66 ? [value] : []))

type Block = { id: number; start: number; end: number; type: string; data: Jumps }
type Jumps = { to?: number | Dynamic[]; true_to?: number | Dynamic[]; false_to?: number }
/** A jump to a place on the stack, possible after these blocks. */
type Dynamic = { path: number[]; to?: number }

/**
 * Returns the words of 32 bytes that each function may push, by the place where it begins: the topics of the events that it
 * may emit are among them. Returns `undefined` for code that cannot be followed.
 */
export function listReached(code: Hex, starts: readonly number[]): ReadonlySet<Hex>[] | undefined {
  try {
    const graph = contractInfo(code, { controlFlowGraph: true }).controlFlowGraph
    const blocks = new Map(
      (graph?.blocks ?? []).map((one) => Object.fromEntries(one) as Block).map((one) => [one.id, one]),
    )
    const instructions = listInstructions(code)
    return starts.map((start) => {
      const reached = [...reach(blocks, start)].flatMap((id) => blocks.get(id) ?? [])
      const isReached = ({ at }: Instruction) => reached.some(({ start: from, end }) => at >= from && at <= end)
      return new Set(wordsIn(instructions.filter(({ value }) => value?.length === 66).filter(isReached)))
    })
  } catch {
    return undefined
  }
}

/** Returns the blocks that can be reached from a block. A function that returns goes back to those that it came from. */
function reach(blocks: ReadonlyMap<number, Block>, start: number): Set<number> {
  const seen = new Set([start])
  for (let size = 0; size < seen.size; ) {
    size = seen.size
    for (const id of seen)
      for (const target of targets(blocks.get(id)?.data, seen)) if (target !== undefined) seen.add(target)
  }
  return seen
}

const targets = (jumps: Jumps | undefined, seen: ReadonlySet<number>): (number | undefined)[] =>
  [jumps?.to, jumps?.true_to, jumps?.false_to].flatMap((target) =>
    Array.isArray(target)
      ? target.filter(({ path }) => path.every((id) => seen.has(id))).map(({ to }) => to)
      : [target],
  )
