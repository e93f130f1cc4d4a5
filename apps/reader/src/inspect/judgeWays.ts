import type { Address } from 'viem'
import { readParents, strangers } from '../asked/readParents.ts'
import type { Nodes } from '../nodes/createNodes.ts'
import { NodeError } from '../nodes/nodeError.ts'
import { communityWith, type Way } from './findWays.ts'

/** Answers of a way about members, and the reason for which it is refused as the way to their referrers. */
export type Judgement = {
  way: Way
  /** Referrers by member, in lower case; `null` for none. */
  parents: Map<Address, Address | null>
  /** Members that have a referrer. */
  bound: Address[]
  /** Number of members for whom it fails, although it answers for addresses that never took part. */
  failed: number
  /** The address that it returns for addresses that never took part; it means "no referrer". */
  fallback: Address | undefined
  /** Number of `bound` whose referrer a log or transaction names together with them. */
  confirmed: number
  /** Number of `bound` whose referrer took part itself. */
  inside: number
  /** Why its answers are not referrers. */
  refused: string | undefined
}

export type JudgeParameters = {
  nodes: Pick<Nodes, 'request'>
  address: Address
  block: number
  members: readonly Address[]
  /** Addresses that logs and transactions name together with each address. */
  together: ReadonlyMap<Address, ReadonlySet<Address>>
}

/** Asks about all members in each way. Returns the ways, the likeliest first, those that are refused last. */
export async function judgeWays(parameters: JudgeParameters, ways: readonly Way[]): Promise<Judgement[]> {
  const judged: Judgement[] = []
  for (const way of ways) {
    const judgement = await judge(parameters, way).catch((error: unknown) => unanswered(way, error))
    judged.push(judgement)
  }
  const above = listAbove(judged.filter(({ refused }) => refused === undefined))
  const rivals = judged.filter((one) => !above.includes(one))
  const weightOf = (one: Judgement) => weigh(one) - (above.includes(one) || isPlace(one, rivals) ? 0.5 : 0)
  return judged.toSorted((left, right) => weightOf(right) - weightOf(left))
}

/** Returns the judgement of a view that nodes refuse to run: it must not hide the others. */
function unanswered(way: Way, error: unknown): Judgement {
  if (!(error instanceof NodeError)) throw error
  const refused = `the nodes give no answer: ${error.message}`
  return { way, parents: new Map(), bound: [], failed: 0, fallback: undefined, confirmed: 0, inside: 0, refused }
}

/** Number of members that show whether a place in the storage holds addresses: some nodes are asked for one at a time. */
const probes = 24

async function holdsAddresses({ nodes, address, block, members }: JudgeParameters, way: Way): Promise<boolean> {
  if (!('slot' in way.config)) return true
  const found = await readParents(nodes, communityWith(address, way), members.slice(0, probes), block)
  return found.some(Boolean)
}

async function judge(parameters: JudgeParameters, way: Way): Promise<Judgement> {
  const { nodes, address, block, together } = parameters
  const members = (await holdsAddresses(parameters, way)) ? parameters.members : []
  const asked = [...strangers, ...members]
  const answers = await readParents(nodes, communityWith(address, way), asked, block)
  const [first, ...others] = strangers.map((_, at) => answers[at])
  const isConstant = first != null && others.every((other) => other === first)
  const fallback = isConstant ? (first as Address) : undefined
  const parents = new Map<Address, Address | null>()
  for (const [at, member] of members.entries()) {
    const answer = answers[strangers.length + at]
    if (answer !== undefined) parents.set(member, answer === fallback ? null : answer)
  }
  const bound = members.filter((member) => parents.get(member))
  const parentOf = (member: Address) => parents.get(member) as Address
  const known = new Set(members)
  const judgement = {
    ...{ way, parents, bound, fallback },
    // Where it fails for those too, a failure means "no referrer".
    failed: strangers.every((_, at) => answers[at] === undefined) ? 0 : members.length - parents.size,
    confirmed: bound.filter((member) => together.get(member)?.has(parentOf(member))).length,
    inside: bound.filter((member) => known.has(parentOf(member)) || together.has(parentOf(member))).length,
  }
  const refused = await refuse(parameters, judgement, !isConstant && first != null)
  return { ...judgement, refused }
}

/** Views that lead from an address to another one which is not its referrer: `delegates(address)` of tokens with votes. */
export const otherSelectors = ['0x587cde1e']

type Unrefused = Omit<Judgement, 'refused'>

async function refuse(
  { nodes }: JudgeParameters,
  judgement: Unrefused,
  answersStrangers: boolean,
): Promise<string | undefined> {
  const { way, bound, parents, failed, fallback, confirmed, inside } = judgement
  if (way.selector && otherSelectors.includes(way.selector)) return 'it names the delegate of a vote'
  if (answersStrangers) return 'it returns an address even for addresses that never took part'
  if (bound.length > 0 && failed > parents.size)
    return `it fails for ${failed} of ${failed + parents.size} addresses that took part`
  if (bound.length === 0)
    return fallback ? `it returns ${fallback} for everyone` : 'it returns no address for any member'
  const circling = bound.filter((member) => isInCircle(parents, member))
  if (circling.length * 5 > bound.length) return 'it leads from members back to themselves'
  const referrers = [...new Set(bound.map((member) => parents.get(member) as Address))]
  if (await areContracts(nodes, referrers, parents)) return 'most of the addresses that it returns are contracts'
  if (way.rank !== undefined) return undefined
  const isSeen = confirmed * 2 >= bound.length || (inside * 2 >= bound.length && bound.length >= 3)
  return isSeen ? undefined : 'most of the addresses that it returns never took part'
}

function isInCircle(parents: ReadonlyMap<Address, Address | null>, member: Address): boolean {
  const seen = new Set([member])
  for (let above = parents.get(member); above; above = parents.get(above)) {
    if (above === member) return true
    if (seen.has(above)) return false
    seen.add(above)
  }
  return false
}

/** Returns whether most of the first addresses are contracts, and no members: a wallet may be a contract too. */
export async function areContracts(
  { request }: Pick<Nodes, 'request'>,
  all: readonly Address[],
  parents: ReadonlyMap<Address, Address | null>,
): Promise<boolean> {
  const addresses = all.slice(0, 8)
  const others = addresses.filter((address) => !parents.get(address))
  const codes = await Promise.all(
    others.map((address) => request({ method: 'eth_getCode', params: [address, 'latest'] }).catch(() => '0x')),
  )
  // An account that delegates to a contract (EIP-7702) has 23 bytes of code.
  return codes.filter((code) => String(code).length > 2 + 23 * 2).length * 2 > addresses.length
}

/** Number of members that show how many a referrer has, and of those below one in the matrices that are in use. */
const placed = { least: 12, most: 3 }

/**
 * Returns whether an output is rather the place in a matrix than who invited: each referrer has few members there, and another
 * output of the same view names referrers with more.
 */
function isPlace(one: Judgement, all: readonly Judgement[]): boolean {
  const isOther = ({ way, bound, confirmed, refused }: Judgement) =>
    way.selector === one.way.selector &&
    refused === undefined &&
    bound.length >= one.bound.length &&
    confirmed >= one.confirmed
  return arePlaces(referrersIn(one)) && all.some((other) => isOther(other) && !arePlaces(referrersIn(other)))
}

/** Number of members with a referrer's referrer that show whether another relation names that one. */
const fewAbove = 5

/** Lists the relations that lead to the referrers of the referrers in the others, as those for rewards of several levels. */
export function listAbove<relation extends { parents: ReadonlyMap<Address, Address | null> }>(
  all: readonly relation[],
): relation[] {
  const isAbove = (one: relation, lower: relation, upper: relation) => {
    const same = [...lower.parents].flatMap(([member, parent]) => {
      const expected = parent && upper.parents.get(parent)
      return expected ? [one.parents.get(member) === expected] : []
    })
    // Who invited may be two places above in a tree too, though not for each member.
    return same.length >= fewAbove && same.every(Boolean)
  }
  return all.filter((one) => {
    const others = all.filter((other) => other !== one)
    return others.some((lower) => others.some((upper) => isAbove(one, lower, upper)))
  })
}

const referrersIn = ({ bound, parents }: Judgement) => bound.map((member) => parents.get(member) as Address)

/** Returns whether the referrers of many members have few members each, as places in a matrix have. */
export const arePlaces = (referrers: readonly Address[]): boolean =>
  referrers.length >= placed.least &&
  [...Map.groupBy(referrers, (one) => one).values()].every(({ length }) => length <= placed.most)

function weigh({ way, bound, confirmed, inside, refused }: Judgement): number {
  if (refused !== undefined) return -1
  const share = (count: number) => count / bound.length
  const isNamed = way.rank === undefined ? 0 : 2 - way.rank / 1_000
  return isNamed + 3 * share(confirmed) + share(inside) + Math.min(bound.length, 50) / 25
}
