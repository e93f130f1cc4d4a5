import type { Address, Community } from '@lineage/referral-api'
import { byAmountKind } from '@lineage/referral-api/amounts'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { addressOf, createForest, now } from '../../../test/forest.ts'
import { StoryApp } from '../../../test/StoryApp.tsx'
import { CheckOutcome, type CheckState, type Hop } from './OnChainCheck.tsx'
import { UplineList } from './UplineList.tsx'

const nothing = () => {}
const forest = createForest()
const token = { symbol: 'USDT', decimals: 18 }
const community: Community = {
  id: 'demo',
  name: '青禾社区',
  contract: addressOf(0),
  chainId: 56,
  startBlock: 1,
  members: forest.rows.length,
  status: 'ready',
  withheld: null,
  tokens: byAmountKind(() => token),
  parent: {
    contract: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    view: 'function referrerOf(address) view returns (address)',
    args: [null],
    output: [0],
  },
  grades: ['exact'],
  explorer: null,
}
const asOf = { block: 41_000_000, timestamp: now, finalizedBlock: 40_999_985 }
const member = { asOf, ...forest.member(forest.deepest) }

/** One hop for each outcome of a check, starting at the member. */
const found: Hop[] = [
  { kind: 'agrees' },
  { kind: 'agrees' },
  { kind: 'differs', referrer: addressOf(9) },
  { kind: 'differs', referrer: null },
  { kind: 'unreadable' },
  { kind: 'agrees' },
]
const line: Address[] = []
for (let at: number | undefined = forest.deepest; at !== undefined; at = forest.rows[at]?.referrer)
  line.push(addressOf(at))
const hops = new Map(found.map((hop, row) => [line[row] as Address, hop]))
const check: CheckState = {
  state: 'done',
  checked: member.depth,
  hops,
  differs: [2, 3],
  unreadable: [4],
  answeredBy: 'server',
}

const chain = (state: Partial<CheckState>, target?: { row: number }) => (
  <>
    <CheckOutcome check={{ ...check, ...state }} total={member.depth} onRow={nothing} at={undefined} />
    <UplineList member={member} community={community} hops={state.hops ?? hops} target={target} />
  </>
)
const unchecked: Partial<CheckState> = { state: 'idle', hops: new Map(), differs: [], unreadable: [] }

const meta = {
  title: 'Web/Upstream',
  component: StoryApp,
  render: (parameters, { globals }) => <StoryApp {...parameters} language={String(globals.locale)} />,
  args: { path: '/', children: null },
} satisfies Meta<typeof StoryApp>

export default meta
type Story = StoryObj<typeof meta>

export const CheckedOnChain: Story = { args: { children: chain({}) } }
export const CheckedOnAPhone: Story = { args: { children: chain({}) }, globals: { viewport: { value: 'phone' } } }
export const Checking: Story = { args: { children: chain({ state: 'reading', checked: 120 }) } }
export const CheckStopped: Story = {
  args: { children: chain({ state: 'stopped', checked: 120, failure: { kind: 'unreachable' } }) },
}
export const AtTheRoot: Story = { args: { children: chain(unchecked, { row: member.depth }) } }
export const FailedToLoad: Story = {
  args: { state: { brokenOn: '/referrers?skip' }, children: chain(unchecked, { row: 60 }) },
}
