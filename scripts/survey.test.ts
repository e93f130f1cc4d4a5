import { beforeAll, expect, test } from 'vitest'
import { parseFamilies } from './survey/families.ts'
import { type Outcome, runSurvey } from './survey/runSurvey.ts'

/** One row of each kind: how a contract binds, what it emits then, and its view. */
const rows = [
  ['own token transfer', 'token transfer, two-way', '–', '_inviter(address)', 'Transfer of the token itself', 'logs'],
  [
    'own token transfer',
    'token transfer, first receipt',
    '–',
    'upper(address)',
    'Transfer of the token itself',
    'logs',
  ],
  ["another token's log only", 'in buy of a miner', '–', 'referrals(address)', 'Transfer of another token', 'logs'],
  ["another token's log only", 'inside claim()', '–', 'struct users(address)', 'Transfer of another token', 'logs'],
  [
    'own event',
    'own function register()',
    'Register(address user, address referral)',
    'struct userInfo(address)',
    'own event',
    'logs',
  ],
  [
    'reward event per level (noisy)',
    'inside invest()',
    'RefBonus(address indexed referrer, address indexed referral, uint256 indexed level, uint256 amount)',
    'getUserReferrer(address)',
    'own event',
    'logs',
  ],
  [
    'event names only the member',
    'inside invest()',
    'NewDeposit(msg.sender, amount)',
    'struct players(address)',
    'own event',
    'logs',
  ],
  ['event names only the member', 'inside stake()', 'Staking(msg.sender,msg.value)', 'none', 'own event', 'logs'],
  [
    'event says other than the contract stores',
    'inside mint()',
    'Mint(address user, address superior, uint256 amount)',
    'getSuperior(address)',
    'own event',
    'logs',
  ],
  [
    'silent admin move, import or unbind',
    'own function setInvitor()',
    'bindSuccessful(address indexed sender, address indexed receiver, uint256 blockNumber)',
    '_invitor(address)',
    'Transfer of the token itself',
    'logs',
  ],
  [
    'own event',
    'by an operator contract, record()',
    'ReferralRecorded(address indexed user, address indexed referrer)',
    'referrers(address)',
    'own event',
    'logs',
  ],
  [
    'own event',
    'own function registration()',
    'Registration(address user, address referrer, uint userId, uint referrerId)',
    'tuple usersX3Matrix()',
    'own event',
    'logs',
  ],
  [
    'event names only the referrer',
    'inside buy()',
    'ReferralSetup(referral_, mainReward)',
    'tuple getReferral()',
    'own event',
    'file',
  ],
  ['no event and no log at all', 'own function register()', '–', 'toFather(address)', 'none', 'file'],
  [
    'event gives an id for the referrer',
    'inside _invest()',
    'onInvest(_addr, _amount, investment[uid].level1RefId)',
    'none',
    'own event',
    undefined,
  ],
] as const

const cells = rows.map(([why, bound, emitted, view, logs, by], index) => {
  const number = String(index + 1)
  return {
    number,
    why,
    by,
    line: `| ${number} | 0x | ours | 1 | D | ${why} | ${bound} | ${emitted} | ${view} | ${logs} | – |`,
  }
})

let outcomes: Outcome[]

beforeAll(async () => {
  outcomes = await runSurvey(parseFamilies(cells.map(({ line }) => line).join('\n')), () => {})
}, 600_000)

test.each(cells)('behavior: row $number, $why: every referrer is that of the contract', ({ number, by }) => {
  const outcome = outcomes.find(({ family }) => family.number === number)
  expect(outcome).toMatchObject({ by, wrong: 0 })
  expect(outcome?.members).toBeGreaterThan(15)
})
