import type { Forest, MemberId } from '@lineage/forest'
import type { Batch } from '@lineage/referral-api'
import { type Address, isAddressEqual, zeroAddress } from 'viem'
import type { Community } from '../../../config/index.ts'
import { parseAddress } from '../../../config/parseAddress.ts'
import { ProblemError } from '../http/problems.ts'

type MemberProblem = NonNullable<Batch['items'][number]['error']>

/** A member, or the problem that there is none. */
export type FoundMember = { id: MemberId } | { error: MemberProblem }

const deadAddress: Address = '0x000000000000000000000000000000000000dEaD'

/** Finds the member that a text names. */
export function findMember(forest: Forest, community: Community, text: string): FoundMember {
  const parsed = parseAddress(text)
  if (parsed.status !== 'valid') return { error: { code: 'invalid_address', detail: invalidAddress[parsed.status] } }
  const id = forest.find(parsed.address)
  if (id !== undefined) return { id }
  return { error: { code: 'member_not_found', detail: explainAbsence(community, parsed.address) } }
}

/** Finds the member that a text names. @throws {ProblemError} `invalid_address`, `member_not_found` */
export function readMember(forest: Forest, community: Community, text: string): MemberId {
  const found = findMember(forest, community, text)
  if ('error' in found) throw new ProblemError(found.error.code, found.error.detail)
  return found.id
}

/** An address that events may name. `absence`: the problem if none does; only a member always has events. */
export type Named = { address: Address; absence: ProblemError | undefined }

/**
 * Finds an address that events may name: a member, or one that has only binds that do not count, or amounts.
 *
 * @throws {ProblemError} `invalid_address`, or `member_not_found` for an address that stands for "no referrer", because
 * events of all roots name it
 */
export function readNamed(forest: Forest, community: Community, text: string): Named {
  const address = readAddress(text)
  const found = findMember(forest, community, text)
  if ('id' in found) return { address, absence: undefined }
  const absence = new ProblemError(found.error.code, found.error.detail)
  if (isSentinel(community, address)) throw absence
  return { address, absence }
}

/** Parses an address. @throws {ProblemError} `invalid_address` */
export function readAddress(text: string): Address {
  const parsed = parseAddress(text)
  if (parsed.status !== 'valid') throw new ProblemError('invalid_address', invalidAddress[parsed.status])
  return parsed.address
}

const invalidAddress = {
  malformed: 'Invalid address: it must be 0x and 40 hex digits.',
  checksum: 'Invalid address: its checksum is wrong, a character may be mistyped. Lower case is not checked.',
}

const isSentinel = ({ roots }: Community, address: Address) =>
  [zeroAddress, deadAddress, ...roots].some((sentinel) => isAddressEqual(sentinel, address))

function explainAbsence(community: Community, address: Address): string {
  if (isSentinel(community, address))
    return 'This address stands for "no referrer", so it is not a member. Members who name it are roots.'
  if (isAddressEqual(community.address, address)) return 'This is the contract of the community, not a member.'
  return 'No valid bind of this community names this address.'
}
