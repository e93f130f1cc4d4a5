import type { Address, Community } from '@lineage/referral-api'

/** An address in a community, and the day or block to show. */
export type PastProps = { address: Address; community: Community; asOf: string }
