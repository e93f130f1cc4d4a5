import { type Community, parseAddress, sentinels } from '@lineage/communities'
import type { Forest, MemberId } from '@lineage/forest'
import type { Batch } from '@lineage/referral-api'
import type { Address } from 'viem'
import { isAddressEqual } from 'viem/utils'
import { ProblemError } from '../lib/problem.ts'
import { addressFaults } from './parseLookup.ts'

type MemberProblem = NonNullable<Batch['items'][number]['error']>

/** A member, or the problem that there is none. */
export type FoundMember = { id: MemberId } | { error: MemberProblem }

/** Finds the member that a text names. */
export function findMember(forest: Forest, community: Community, text: string): FoundMember {
  const parsed = parseAddress(text)
  if (parsed.status !== 'valid') return { error: { code: 'invalid_address', detail: addressFaults[parsed.status] } }
  const id = forest.find(parsed.address)
  if (id !== undefined) return { id }
  return { error: { code: 'member_not_found', detail: explainNotFound(community, parsed.address) } }
}

/** Finds a member. @throws {ProblemError} `member_not_found`, about `parameter` if it is given */
export function requireMember(forest: Forest, community: Community, address: Address, parameter?: string): MemberId {
  const id = forest.find(address)
  if (id !== undefined) return id
  const detail = explainNotFound(community, address)
  if (parameter === undefined) throw new ProblemError('member_not_found', detail)
  throw new ProblemError('member_not_found', `${parameter}: ${detail}`, { parameter })
}

/** Two members. */
export type Pair = { a: MemberId; b: MemberId }

/** Finds two members. @throws {ProblemError} `member_not_found` */
export function findPair({ forest, community, query }: PairRequest): Pair {
  const find = (name: 'a' | 'b') => requireMember(forest, community, query[name].toLowerCase() as Address, name)
  return { a: find('a'), b: find('b') }
}

type PairRequest = { forest: Forest; community: Community; query: { a: string; b: string } }

/** An address that events may name. `notFound`: the problem if none does; only a member always has events. */
export type Named = { address: Address; notFound: ProblemError | undefined }

/**
 * Finds an address that events may name: a member, or one that has only binds that do not count, or amounts.
 *
 * @throws {ProblemError} `member_not_found` for an address that stands for "no referrer", because events of all roots
 * name it
 */
export function findNamed(forest: Forest, community: Community, address: Address): Named {
  if (forest.find(address) !== undefined) return { address, notFound: undefined }
  const notFound = new ProblemError('member_not_found', explainNotFound(community, address))
  if (isSentinel(community, address)) throw notFound
  return { address, notFound }
}

const isSentinel = ({ roots }: Community, address: Address) =>
  [...sentinels, ...roots].some((sentinel) => isAddressEqual(sentinel, address))

function explainNotFound(community: Community, address: Address): string {
  if (isSentinel(community, address))
    return 'This address stands for "no referrer", so it is not a member. Members who name it are roots.'
  if (isAddressEqual(community.address, address)) return 'This is the contract of the community, not a member.'
  return 'No valid bind of this community names this address.'
}
