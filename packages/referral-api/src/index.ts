export type { ReferralClient, ReferralClientParameters, ReferralsParameters } from './client.ts'
export { createReferralClient, ReferralApiError } from './client.ts'
export type * from './types.ts'
