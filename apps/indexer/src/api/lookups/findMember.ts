import type { Forest, MemberId } from '@lineage/forest'
import type { Batch } from '@lineage/referral-api'
import { type Address, isAddressEqual, zeroAddress } from 'viem'
import type { Community } from '../../../config/index.ts'
import { parseAddress } from '../../../config/parseAddress.ts'
import { ProblemError } from '../http/problems.ts'

type MemberProblem = NonNullable<Batch['items'][number]['error']>

/** A member, or the problem that there is none. */
export type FoundMember = { id: MemberId } | { error: MemberProblem }

const deadAddress = '0x000000000000000000000000000000000000dEaD'

/** Finds the member that a text names. */
export function findMember(forest: Forest, community: Community, text: string): FoundMember {
  const parsed = parseAddress(text)
  if (parsed.status !== 'valid') return { error: { code: 'invalid_address', detail: invalidAddress[parsed.status] } }
  const id = forest.find(parsed.address)
  if (id !== undefined) return { id }
  return { error: { code: 'member_not_found', detail: explainAbsence(community, parsed.address) } }
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

function explainAbsence({ roots, address: contract }: Community, address: Address): string {
  const sentinels: Address[] = [zeroAddress, deadAddress, ...roots]
  if (sentinels.some((sentinel) => isAddressEqual(sentinel, address)))
    return 'This address stands for "no referrer", so it is not a member. Members who name it are roots.'
  if (isAddressEqual(contract, address)) return 'This is the contract of the community, not a member.'
  return 'No valid bind of this community names this address.'
}
