import type { Hex } from 'viem'
import { readParents } from '../asked/readParents.ts'
import { NodeError } from '../nodes/nodeError.ts'
import { communityWith, type Way } from './findWays.ts'
import type { Case } from './Inspection.ts'
import type { Judgement } from './judgeWays.ts'
import type { Code, CodeFunction } from './readCode.ts'

/** Number of older blocks at which members are asked about again. */
const moments = 6

/**
 * Returns whether the contract changes the referrer of a member who has one: by older answers, and by its functions.
 * `silent`: functions that bind without the event of the others.
 */
export async function findChanges(
  known: Case,
  best: Judgement,
  silent: readonly CodeFunction[],
): Promise<'once' | 'any'> {
  const { moved, compared } = await countMoves(known, best)
  const movers = silent.length > 0 ? silent : listMovers(known, best)
  if (moved > 0) {
    const evidence = `${moved} of ${best.parents.size} addresses had another referrer than now in one of ${compared} older blocks`
    known.findings.push({ about: 'changes', text: 'any: referrers change', evidence, level: 'found' })
    return 'any'
  }
  if (movers.length > 0) {
    const evidence = `${movers.map(describeFunction).join(', ')} ${movers.length === 1 ? 'changes' : 'change'} the same storage`
    const text = 'any: functions of the contract may change referrers'
    known.findings.push({ about: 'changes', text, evidence, level: 'guess' })
    return 'any'
  }
  if (isByCode(best.way)) {
    const evidence = 'a member may name another code, and a code may get another owner'
    known.findings.push({ about: 'changes', text: 'any: referrers are named by a code', evidence, level: 'guess' })
    return 'any'
  }
  const isCompared = compared > 0
  known.findings.push({
    about: 'changes',
    text: 'once: a member keeps its first referrer',
    evidence: isCompared
      ? `none of ${best.bound.length} members had another referrer in ${compared} older blocks`
      : 'the node has no older states to compare',
    // A function may still change a referrer that it has never changed.
    level: 'guess',
  })
  if (!isCompared)
    known.doubts.push({
      question: 'Can the referrer of a member who has one be changed?',
      settle: 'If so, write "changes": "any" beside the candidates: members are then asked about again',
    })
  return 'once'
}

const isByCode = ({ config }: Way) => 'view' in config && /\((bytes32|string)\)/.test(config.next?.view ?? '')

/** Asks about the members at older blocks, as far as the nodes have their states. */
async function countMoves({ nodes, address, start, head }: Case, { way, parents, fallback }: Judgement) {
  const community = communityWith(address, way, fallback ? [fallback] : [])
  const members = [...parents.keys()]
  const moved = new Set<string>()
  let compared = 0
  if (start.states === 'recent') return { moved: 0, compared }
  for (let step = 1; step < moments; step++) {
    const block = start.block + Math.floor(((head - start.block) * step) / moments)
    const answers = await readParents(nodes, community, members, block).catch((error: unknown) => {
      if (error instanceof NodeError) return undefined
      throw error
    })
    if (!answers) break
    compared++
    for (const [at, member] of members.entries()) {
      const before = answers[at]
      if (before && before !== fallback && before !== parents.get(member)) moved.add(member)
    }
  }
  return { moved: moved.size, compared }
}

/**
 * Lists the functions that change the mapping which a way reads. Of a struct, the code does not show which field a function
 * changes: then the list is empty unless `structs` is `included`.
 */
function listWriters(code: Code, { config, selector }: Way, structs: 'included' | 'left_out'): CodeFunction[] {
  const mapping = code.mappings.find(({ slot, readers }) =>
    'slot' in config ? slot === BigInt(config.slot) : selector && readers.includes(selector),
  )
  const isWhole = mapping?.value === 'address' && !('offset' in config || 'output' in config)
  if (!mapping || (structs === 'left_out' && !isWhole)) return []
  return code.functions.filter(({ selector: one }) => mapping.writers.includes(one))
}

/** Lists the functions that change the referrer of a member and cannot emit an event. */
export function listSilentWriters({ code }: Case, { way }: Judgement, topic: Hex): CodeFunction[] {
  return listWriters(code, way, 'left_out').filter(({ words }) => words && !words.has(topic))
}

/** Returns a function as findings mention it. */
export const describeFunction = ({ selector, inputs }: CodeFunction) => `${selector}(${inputs.join(', ')})`

/**
 * Lists the functions that may move a member: those that take two addresses, or lists of them, and all that change the
 * referrer if they are several. Transfers bind in many tokens, and move no one.
 */
function listMovers({ code }: Case, { way }: Judgement): CodeFunction[] {
  const isTransfer = ({ selector }: CodeFunction) => transfers.includes(selector)
  const writers = listWriters(code, way, 'left_out').filter((one) => !isTransfer(one))
  if (writers.length > 1) return writers
  return listWriters(code, way, 'included').filter(
    (one) => one.inputs.filter((type) => /^address(\[\])?$/.test(type)).length >= 2 && !isTransfer(one),
  )
}

/** `transfer(address,uint256)` and `transferFrom(address,address,uint256)`. */
const transfers = ['0xa9059cbb', '0x23b872dd']
