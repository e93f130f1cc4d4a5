import { readParents } from '../asked/readParents.ts'
import { NodeError } from '../nodes/nodeError.ts'
import { communityWith } from './findWays.ts'
import type { Case } from './Inspection.ts'
import type { Judgement } from './judgeWays.ts'

/** Number of older blocks at which members are asked about again. */
const moments = 6

/** Returns whether the contract changes the referrer of a member who has one: by older answers, and by its functions. */
export async function findChanges(known: Case, best: Judgement): Promise<'once' | 'any'> {
  const { moved, compared } = await countMoves(known, best)
  const movers = findMovers(known, best)
  if (moved > 0) {
    const evidence = `${moved} of ${best.bound.length} members had another referrer in one of ${compared} older blocks`
    known.findings.push({ about: 'changes', text: 'any: referrers change', evidence, level: 'found' })
    return 'any'
  }
  if (movers.length > 0) {
    const evidence = `${movers.join(', ')} takes a member and a referrer, and changes the same storage`
    known.findings.push({
      about: 'changes',
      text: 'any: an administrator can change referrers',
      evidence,
      level: 'found',
    })
    return 'any'
  }
  const isCompared = compared > 0
  known.findings.push({
    about: 'changes',
    text: 'once: a member keeps its first referrer',
    evidence: isCompared
      ? `none of ${best.bound.length} members had another referrer in ${compared} older blocks, and no function that takes both addresses changes it`
      : 'no function that takes both addresses changes it; the node has no older states to compare',
    level: isCompared ? 'found' : 'guess',
  })
  if (!isCompared)
    known.doubts.push({
      question: 'Can the referrer of a member who has one be changed?',
      settle: 'If so, write "changes": "any" beside the candidates: members are then asked about again',
    })
  return 'once'
}

/** Asks about the members at older blocks, as far as the nodes have their states. */
async function countMoves({ nodes, address, start, head }: Case, { way, bound, parents, fallback }: Judgement) {
  const community = communityWith(address, way, fallback ? [fallback] : [])
  const moved = new Set<string>()
  let compared = 0
  if (start.states === 'recent') return { moved: 0, compared }
  for (let step = 1; step < moments; step++) {
    const block = start.block + Math.floor(((head - start.block) * step) / moments)
    const answers = await readParents(nodes, community, bound, block).catch((error: unknown) => {
      if (error instanceof NodeError) return undefined
      throw error
    })
    if (!answers) break
    compared++
    for (const [at, member] of bound.entries()) {
      const before = answers[at]
      if (before && before !== fallback && before !== parents.get(member)) moved.add(member)
    }
  }
  return { moved: moved.size, compared }
}

/** Lists the functions that take two addresses, or lists of them, and change what the way reads. */
function findMovers({ code }: Case, { way }: Judgement): string[] {
  const mapping = code.mappings.find(({ slot, readers }) =>
    'slot' in way.config ? slot === BigInt(way.config.slot) : way.selector && readers.includes(way.selector),
  )
  return (mapping?.writers ?? []).filter((writer) => {
    const inputs = code.functions.find(({ selector }) => selector === writer)?.inputs ?? []
    // Transfers take two addresses as well.
    return inputs.filter((type) => /^address(\[\])?$/.test(type)).length >= 2 && !isTransfer(writer)
  })
}

/** `transferFrom(address,address,uint256)`, which binds in many tokens. */
const isTransfer = (selector: string) => selector === '0x23b872dd'
