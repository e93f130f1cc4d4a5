export { formatAmount, parseAmount, toDecimal } from './amounts.ts'
export type {
  CommunityFileId,
  ReferralClient,
  ReferralClientParameters,
  ReferralsFilter,
  ReferralsParameters,
} from './client.ts'
export { createReferralClient, ReferralApiError } from './client.ts'
export { nameIn } from './nameIn.ts'
export type * from './types.ts'
