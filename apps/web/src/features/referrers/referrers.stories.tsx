import type { Address, Community, MemberSummary } from '@lineage/referral-api'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { addressOf, createForest, now } from '../../../test/forest.ts'
import { StoryApp } from '../../../test/StoryApp.tsx'
import { CheckOutcome } from './ChainCheck.tsx'
import { ChainOfReferrers } from './ChainOfReferrers.tsx'
import type { Hop } from './useChainCheck.ts'

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
  tokens: { volume: token, reward: token },
  parentView: 'function referrerOf(address) view returns (address)',
  explorer: null,
}
const asOf = { block: 41_000_000, timestamp: now, finalizedBlock: 40_999_985 }
const member = { asOf, ...forest.member(forest.deepest) }
const items: MemberSummary[] = []
for (
  let at = forest.rows[forest.deepest]?.referrer;
  at !== undefined && items.length < 6;
  at = forest.rows[at]?.referrer
)
  items.push(forest.summary(at))

/** All that a check may come to. */
const hops = new Map<Address, Hop>([
  [member.address, { kind: 'agrees' }],
  [items[0]?.address as Address, { kind: 'agrees' }],
  [items[1]?.address as Address, { kind: 'differs', referrer: addressOf(9) }],
  [items[2]?.address as Address, { kind: 'differs', referrer: null }],
  [items[3]?.address as Address, { kind: 'unreadable' }],
  [items[4]?.address as Address, { kind: 'agrees' }],
])

const chain = (more: 'ready' | 'loading' | 'failed', checked = hops) => (
  <>
    <CheckOutcome state="done" hops={checked} answeredBy="server" />
    <ChainOfReferrers member={member} community={community} items={items} hops={checked} more={more} onMore={nothing} />
  </>
)

const meta = {
  title: 'Web/Upstream',
  component: StoryApp,
  render: (parameters, { globals }) => <StoryApp {...parameters} language={String(globals.locale)} />,
  args: { path: '/', children: null },
} satisfies Meta<typeof StoryApp>

export default meta
type Story = StoryObj<typeof meta>

export const CheckedOnChain: Story = { args: { children: chain('ready') } }
export const CheckedOnAPhone: Story = {
  args: { children: chain('ready') },
  globals: { viewport: { value: 'phone' } },
}
export const MoreDidNotCome: Story = { args: { children: chain('failed', new Map()) } }
