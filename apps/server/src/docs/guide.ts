import { info } from '@lineage/referral-api/openapi'

/** Guide to the lookups for programs and agents. */
export const guide = [
  `${info.summary}: who referred whom, how large a team is, and how it grows. ${info.description}`,
  'A member is an address that was bound to a referrer. Directs are its direct referrals, the team is its whole downline.',
  'Ask `communities` for the ids of communities, or `addresses` where an address is a member. Who referred an address: `member` ' +
    '(`referrer`), up to the root `referrers`. How large a team is: `member` (`team`), how it grew: `growth`. How two are ' +
    'related: `relation`, who stands between them: `line`.',
  'Lists go on with their `nextCursor` as `cursor`.',
].join('\n')
