import { bindPresets } from './presets.ts'

type Value = string | number | boolean

/** A way from a member to its referrer, as `parent` of the configuration holds it. */
export type KnownView = {
  view: string
  output?: string | number
  args?: Value[]
  next?: { view: string; output?: string | number; args?: Value[] }
}

/**
 * Views that lead from a member to its referrer in contracts on BNB Smart Chain, the most frequent first. Getters of
 * structs have other outputs in other contracts: `output` then names the referrer in the most frequent one.
 */
export const knownViews: readonly KnownView[] = [
  ...[
    ...['_inviter', 'inviter', 'referrals', 'getUserReferrer', 'referrers', 'getReferrer', '_invitor', 'invitor'],
    ...['getInviter', 'getUserUpline', 'getReferral', 'referrerOf', 'parents', 'parentOf', 'getParent', 'parent'],
    ...['_referrer', 'referrer', 'referral', 'referals', 'refer', 'referer', 'getReferer', 'upline', 'getUpline'],
    ...['uplines', 'uppers', 'superior', 'getSuperior', 'beinvited', 'beReferred', '_inviters', 'inviters'],
    ...['_inviteeRecord', 'inviteAddress', 'userReferred', 'affiliates', 'toFather', 'father', 'selectUpline'],
    ...['_rootInvitor', 'referrerLevel', 'getLastRefer', 'plyParent', 'referralAnchor', 'checkUser', 'sponsor'],
    ...['getSponsor', 'sponsors', 'recommender', 'getRecommender', 'leader', 'leaders', 'boss', 'recommend'],
    ...['relation', 'relations', 'relationship', 'getRelation', 'invite', 'invites', 'introducer', 'agent'],
  ].map((name) => ({ view: `function ${name}(address) view returns (address)` })),
  { view: 'function users(address) view returns (uint256 id, address referrer)', output: 'referrer' },
  { view: 'function user(address) view returns (uint256 id, address referrer)', output: 'referrer' },
  { view: 'function userInfo(address) view returns (uint256 id, address referrer)', output: 'referrer' },
  { view: 'function players(address) view returns (uint256 id, address referrer)', output: 'referrer' },
  { view: 'function buyers(address) view returns (uint256 id, address referrer)', output: 'referrer' },
  { view: 'function referralRecordMap(address) view returns (uint256 id, address referrer)', output: 'referrer' },
  { view: 'function refStats(address) view returns (uint256 id, address referrer)', output: 'referrer' },
  { view: 'function getUserInfo(address) view returns (uint256 id, address referrer)', output: 'referrer' },
  { view: 'function getUserData(address) view returns (uint256 id, address referrer)', output: 'referrer' },
  { view: 'function getUsers(address) view returns (uint256 id, address referrer)', output: 'referrer' },
  {
    view: 'function usersX3Matrix(address user, uint8 level) view returns (address referrer)',
    output: 'referrer',
    args: [1],
  },
  {
    view: 'function usersE3Matrix(address user, uint8 level) view returns (address referrer)',
    output: 'referrer',
    args: [1],
  },
  {
    view: 'function users(address) view returns (uint256 id, uint256 referrerId)',
    output: 'referrerId',
    next: { view: 'function userList(uint256) view returns (address)' },
  },
  {
    view: 'function users(address) view returns (uint256 id, uint256 referrerId)',
    output: 'referrerId',
    next: { view: 'function idToAddress(uint256) view returns (address)' },
  },
]

/** An event of referral contracts, and what its arguments are. */
export type KnownEvent =
  | { role: 'bind'; event: string; member: string; referrer: string; where?: Record<string, Value> }
  | { role: 'candidate'; event: string; members: string[] }
  | { role: 'reward' | 'volume'; event: string; member: string; amount: string; from?: string }

/** Events of referral contracts on BNB Smart Chain beside the presets, the most frequent first. */
export const knownEvents: readonly KnownEvent[] = [
  bind('event NewUserAdded(address indexed user, address ref)', 'user', 'ref'),
  bind('event Registration(address user, address referrer)', 'user', 'referrer'),
  bind('event BindInvite(address indexed user, address indexed inviter)', 'user', 'inviter'),
  bind('event ReferralSet(address indexed referrer, address referee)', 'referee', 'referrer'),
  bind('event SetReferral(address user, address referrer, uint256 amount)', 'user', 'referrer'),
  bind('event Inviter(address to, address upline)', 'to', 'upline'),
  bind('event Referrer(address indexed owner, address referrer)', 'owner', 'referrer'),
  bind('event ReferralAnchorCreated(address indexed user, address indexed referee)', 'user', 'referee'),
  bind('event ReferralAnchorUpdated(address indexed user, address indexed referee)', 'user', 'referee'),
  bind(
    'event Registration(address indexed user, address indexed referrer, uint256 indexed userId, uint256 referrerId, uint256 ownerShare)',
    'user',
    'referrer',
  ),
  bind(
    'event regUserEv(address user, uint256 userId, address referrer, uint256 referrerId, address parent, uint256 parentId, uint256 time)',
    'user',
    'referrer',
  ),
  bind('event RefBack(address indexed referrer, address indexed referral, uint256 amount)', 'referral', 'referrer'),
  bind('event ChangeUser(address indexed user, address indexed partner, uint256 amount)', 'user', 'partner'),
  bind('event Deposited(address indexed user, uint256 amount, address indexed referrer)', 'user', 'referrer'),
  bind('event Action(address user, address referrer, uint256 level, uint256 amount)', 'user', 'referrer'),
  candidates('event Transfer(address indexed from, address indexed to, uint256 value)', 'from', 'to'),
  candidates('event Newbie(address user)', 'user'),
  candidates('event ReferralAddressAdded(address indexed user)', 'user'),
  candidates('event FeePayed(address indexed user, uint256 totalAmount)', 'user'),
  candidates('event DepositDone(uint256 indexed id, uint256 at, address user, uint256 amount)', 'user'),
  {
    role: 'reward',
    event: bindPresets.refBonus.event,
    ...{ member: 'referrer', amount: 'amount', from: 'referral' },
  },
  { role: 'reward', event: 'event Reward(address indexed user, uint256 amount)', member: 'user', amount: 'amount' },
  { role: 'reward', event: 'event RewardPaid(address indexed user, uint256 reward)', member: 'user', amount: 'reward' },
  volume('event NewDeposit(address indexed user, uint256 amount)'),
  volume('event NewDeposit(address indexed user, uint256 amount, uint8 plan)'),
  volume('event Deposit(address indexed user, uint256 amount)'),
  volume('event Deposit(address indexed user, uint256 indexed pid, uint256 amount)'),
  volume('event Deposited(address indexed user, uint256 amount)'),
  volume('event Staked(address indexed user, uint256 amount)'),
  volume('event Staking(address indexed user, uint256 amount)'),
  volume('event BuyToken(address indexed user, uint256 amount)'),
  volume('event Buy(address indexed user, uint256 amount)'),
  volume('event TokensDeposited(address indexed user, uint256 amount)'),
  candidates('event Withdrawn(address indexed user, uint256 amount)', 'user'),
  candidates('event Withdraw(address indexed user, uint256 amount)', 'user'),
]

function bind(event: string, member: string, referrer: string): KnownEvent {
  return { role: 'bind', event, member, referrer }
}

function candidates(event: string, ...members: string[]): KnownEvent {
  return { role: 'candidate', event, members }
}

function volume(event: string): KnownEvent {
  return { role: 'volume', event, member: 'user', amount: 'amount' }
}
