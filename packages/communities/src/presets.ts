import * as z from 'zod'

/**
 * Bind events that contracts on BNB Smart Chain are known to emit. Of the first two arguments, one is the member and
 * the other the referrer. If `orders` is `either`, contracts with both orders exist, so the configuration must name
 * one. `where` leaves out the logs of other levels, which name a referrer further up.
 */
export const bindPresets = {
  referralRecorded: either('event ReferralRecorded(address indexed first, address indexed second)'),
  bind: either('event Bind(address indexed first, address indexed second)'),
  bindInviter: either('event BindInviter(address indexed first, address indexed second)'),
  bindParent: either('event BindParent(address first, address second)'),
  bindParentIndexed: either('event BindParent(address indexed first, address indexed second)'),
  bindReferrer: either('event BindReferrer(address indexed first, address indexed second)'),
  bindReferral: memberFirst('event BindReferral(address indexed user, address parent)'),
  bindReferralIndexed: memberFirst('event BindReferral(address indexed user, address indexed parent)'),
  registeredReferer: either('event RegisteredReferer(address first, address second)'),
  registeredRefererIndexed: either('event RegisteredReferer(address indexed first, address indexed second)'),
  registration: memberFirst(
    'event Registration(address indexed user, address indexed referrer, uint256 indexed userId, uint256 referrerId)',
  ),
  registrationUnindexed: memberFirst(
    'event Registration(address user, address referrer, uint256 userId, uint256 referrerId)',
  ),
  upline: memberFirst('event Upline(address indexed user, address indexed upline)'),
  uplineBonus: memberFirst('event Upline(address indexed user, address indexed upline, uint256 bonus)'),
  newReferral: either('event NewReferral(address indexed first, address indexed second)'),
  newReferralLevel: referrerFirst(
    'event NewReferral(address indexed referrer, address indexed user, uint8 indexed level)',
    { level: 1 },
  ),
  refBonus: referrerFirst(
    'event RefBonus(address indexed referrer, address indexed referral, uint256 indexed level, uint256 amount)',
    { level: 0 },
  ),
  regLevelEvent: memberFirst('event regLevelEvent(address indexed user, address indexed referrer, uint256 time)'),
  setReferrer: either('event SetReferrer(address indexed first, address indexed second)'),
  referrerSet: either('event ReferrerSet(address indexed first, address indexed second)'),
  referSaved: memberFirst('event ReferSaved(address user, address referrer)'),
  bindSuccessful: either('event bindSuccessful(address indexed first, address indexed second, uint256 blockNumber)'),
  bindingParents: memberFirst('event BindingParents(address indexed user, address inviter)'),
  referral: either('event Referral(address indexed first, address indexed second)'),
  referralBound: memberFirst('event ReferralBound(address indexed user, address indexed referrer)'),
  register: memberFirst('event Register(address indexed user, address indexed referrer)'),
  registerUnindexed: memberFirst('event Register(address user, address referrer)'),
  registered: memberFirst('event Registered(address indexed user, address indexed referrer)'),
} as const satisfies Record<string, BindPreset>

/** Reward events that contracts on BNB Smart Chain are known to emit. */
export const rewardPresets = {
  referralCommissionRecorded: {
    event: 'event ReferralCommissionRecorded(address indexed referrer, uint256 commission)',
    member: 'referrer',
    amount: 'commission',
  },
  paidReferral: {
    event: 'event PaidReferral(address from, address to, uint256 amount, uint256 level)',
    member: 'to',
    amount: 'amount',
    from: 'from',
  },
} as const satisfies Record<string, RewardPreset>

/** Which of the first two arguments is the member. */
export type Order = 'memberFirst' | 'referrerFirst'
export type BindPreset = { event: string; orders: 'either' | Order; where?: Record<string, number> }
export type RewardPreset = { event: string; member: string; amount: string; from?: string }
export type BindPresetName = keyof typeof bindPresets

function either<text extends string>(event: text) {
  return { event, orders: 'either' } as const
}

function memberFirst<text extends string>(event: text) {
  return { event, orders: 'memberFirst' } as const
}

function referrerFirst<text extends string>(event: text, where: Record<string, number>) {
  return { event, orders: 'referrerFirst', where } as const
}

/** Returns the schema of a field for the name of a preset. */
export function presetNames<name extends string>(presets: Record<name, unknown>) {
  const names = Object.keys(presets) as [name, ...name[]]
  return z.enum(names, `must be one of ${names.join(', ')}`)
}
