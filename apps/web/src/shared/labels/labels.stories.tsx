import type { Address, Label } from '@lineage/referral-api'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { type ReactNode, Suspense, useMemo } from 'react'
import { addressOf } from '../../../test/forest.ts'
import { StoryApp } from '../../../test/StoryApp.tsx'
import LabelsList from '../../features/search/LabelsList.tsx'
import { AddressText } from '../address/AddressText.tsx'
import LabelTask from './LabelTask.tsx'
import { createLabels, LabelsContext, type LabelsState } from './labels.ts'
import WatchedAddresses from './WatchedAddresses.tsx'

const texts = [
  '老王',
  '大区团队长',
  'Treasury',
  '一个很长很长的备注名，长到一行里放不下的时候会被截断',
  'محفظة الفريق',
  '',
]
const labels = texts.map((text, index): [Address, Label] => {
  const address = addressOf(index)
  return [
    address,
    { address, text, watched: text === '' || index % 2 === 0, updatedAt: 1_795_000_000 - index * 90_000 },
  ]
})

const nothing = async () => {}
const actions: LabelsState['actions'] = {
  save: nothing,
  removeAll: nothing,
  reload: nothing,
  move: nothing,
  leave: () => {},
  ask: () => {},
}

/** Labels as they are said to be, with nothing behind them. */
function WithLabels({ state, children }: { state: Partial<LabelsState>; children: ReactNode }) {
  const store = useMemo(() => {
    const made = createLabels()
    made.setState({ shown: new Map(labels), status: 'ready', actions, ...state })
    return made
  }, [state])
  return (
    <LabelsContext value={store}>
      <Suspense>{children}</Suspense>
    </LabelsContext>
  )
}

const story = (state: Partial<LabelsState>, children: ReactNode): Story => ({
  args: { children: <WithLabels state={state}>{children}</WithLabels> },
})

const meta = {
  title: 'Web/Labels',
  component: StoryApp,
  render: (parameters, { globals }) => <StoryApp {...parameters} language={String(globals.locale)} />,
  args: { path: '/search', children: null },
} satisfies Meta<typeof StoryApp>

export default meta
type Story = StoryObj<typeof meta>

const list = (state: Partial<LabelsState>) => story(state, <LabelsList />)
const task = (it: LabelsState['task'], state: Partial<LabelsState> = {}) => story(state, <LabelTask task={it} />)

export const Addresses = story(
  {},
  labels.map(([address]) => (
    <div key={address}>
      <AddressText address={address} />
    </div>
  )),
)
export const Watched = story({}, <WatchedAddresses />)
export const OfABrowser = list({})
export const OfAnAccount = list({ place: 'account' })
export const SomeStillInTheBrowser = list({ place: 'account', waiting: 3 })
export const None = list({ shown: new Map() })
export const Loading = list({ status: 'loading', shown: new Map() })
export const Failed = list({ status: 'failed', shown: new Map(), place: 'account' })
export const Adding = task({ name: 'edit', address: addressOf(99) })
export const Editing = task({ name: 'edit', address: addressOf(0) }, { place: 'account' })
export const Offer = task({ name: 'offer' }, { place: 'account', waiting: 6 })
export const DeletingAll = task({ name: 'clear' }, { place: 'account' })
export const Phone: Story = {
  ...list({ place: 'account', waiting: 3 }),
  globals: { viewport: { value: 'phone' }, locale: 'zh-CN' },
}
export const EditingOnAPhone: Story = {
  ...task({ name: 'edit', address: addressOf(1) }),
  globals: { viewport: { value: 'phone' }, locale: 'zh-CN' },
}
