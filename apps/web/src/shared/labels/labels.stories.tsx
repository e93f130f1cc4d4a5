import type { Address, Label } from '@lineage/referral-api'
import type { Meta, StoryObj } from '@storybook/react-vite'
import { type ReactNode, Suspense, useMemo } from 'react'
import { expect, screen, userEvent, waitFor, within } from 'storybook/test'
import { addressOf } from '../../../test/forest.ts'
import { StoryApp } from '../../../test/StoryApp.tsx'
import { LabelsList } from '../../features/search/SearchStart.tsx'
import { AddressText } from '../address/AddressText.tsx'
import { storageKey } from './browserLabels.ts'
import LabelDialogs from './LabelDialogs.tsx'
import { createLabelsStore, LabelsContext, type LabelsState } from './labelsStore.ts'
import WatchedAddresses from './WatchedAddresses.tsx'

/** Time limit for a busy machine. */
const patient = { timeout: 10_000 }

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
const saved = async () => 'saved' as const
const actions: LabelsState['actions'] = {
  save: saved,
  removeAll: saved,
  reload: nothing,
  moveToAccount: nothing,
  declineMove: () => {},
  openDialog: () => {},
  closeDialog: () => {},
}

/** Provides this state, without code that loads or saves labels. */
function WithLabels({ state, children }: { state: Partial<LabelsState>; children: ReactNode }) {
  const store = useMemo(() => {
    const made = createLabelsStore()
    made.setState({ labels: new Map(labels), status: 'ready', actions, ...state })
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
const dialog = (it: LabelsState['dialog'], state: Partial<LabelsState> = {}) =>
  story(state, <LabelDialogs dialog={it} />)

export const Addresses = story(
  {},
  labels.map(([address]) => (
    <div key={address}>
      <AddressText address={address} />
    </div>
  )),
)
export const Watched = story({}, <WatchedAddresses />)
export const InThisBrowser = list({})
export const InTheAccount = list({ place: 'account' })
export const SomeNotMovedYet = list({ place: 'account', unmoved: 3 })
export const Empty = list({ labels: new Map() })
export const Loading = list({ status: 'loading', labels: new Map() })
export const Failed = list({ status: 'failed', labels: new Map(), place: 'account' })
/** A reload failed: the labels stay, and can be exported and deleted. */
export const FailedReload: Story = {
  ...list({ status: 'failed', place: 'account' }),
  globals: { locale: 'en' },
  play: async () => {
    const section = await screen.findByRole('region', { name: 'Labels and watch list' }, patient)
    await expect(within(section).getByRole('alert')).toHaveTextContent('could not be reloaded')
    for (const name of ['Retry', 'Export CSV', 'Delete all'])
      await expect(within(section).getByRole('button', { name })).toBeVisible()
    await expect(within(section).getAllByRole('listitem')).toHaveLength(labels.length)
  },
}
export const Adding = dialog({ name: 'edit', address: addressOf(99) })
export const Editing = dialog({ name: 'edit', address: addressOf(0) }, { place: 'account' })
export const Offer = dialog({ name: 'offer' }, { place: 'account', unmoved: 6 })
export const DeletingAll = dialog({ name: 'clear' }, { place: 'account' })
export const Phone: Story = {
  ...list({ place: 'account', unmoved: 3 }),
  globals: { viewport: { value: 'phone' }, locale: 'zh-CN' },
}
export const EditingOnAPhone: Story = {
  ...dialog({ name: 'edit', address: addressOf(1) }),
  globals: { viewport: { value: 'phone' }, locale: 'zh-CN' },
}

const many = Array.from({ length: 12 }, (_, index) => ({
  address: addressOf(index),
  text: index === 7 ? '老王' : `第 ${index + 1} 队`,
  watched: index < 3,
  updatedAt: 1_795_000_000 - index * 90_000,
}))

/** A guest searches, edits and deletes labels, one by one and all at once. */
export const SearchEditAndDelete: Story = {
  args: {
    children: (
      <Suspense>
        <LabelsList />
      </Suspense>
    ),
  },
  globals: { locale: 'zh-CN' },
  beforeEach: () => {
    localStorage.setItem(storageKey, JSON.stringify(many))
    return () => localStorage.removeItem(storageKey)
  },
  play: async () => {
    const list = await screen.findByRole('region', { name: '备注与关注' }, patient)
    const search = await within(list).findByRole('searchbox', { name: '按备注名或地址查找' }, patient)
    const rows = () => within(list).queryAllByRole('listitem')
    const edit = async (name: string) => {
      // Without `act`, which does not show the dialog when its script has loaded.
      within(list)
        .getByRole('button', { name: `编辑 ${name} 的备注` })
        .click()
      return screen.findByRole('dialog', { name: '备注' }, patient)
    }
    const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), patient)
    await waitFor(() => expect(rows()).toHaveLength(12), patient)
    await userEvent.click(search)
    await userEvent.paste(many[4]?.address.slice(4, 14).toUpperCase())
    await waitFor(() => expect(rows()).toHaveLength(1), patient)
    await userEvent.clear(search)
    await userEvent.type(search, '王')
    await waitFor(() => expect(rows()).toHaveLength(1), patient)

    const dialog = await edit('老王')
    const field = within(dialog).getByRole('textbox', { name: '备注名' })
    await expect(field).toHaveFocus()
    await userEvent.clear(field)
    await userEvent.paste('长'.repeat(61))
    await expect(within(dialog).getByRole('button', { name: '保存' })).toBeDisabled()
    await expect(within(dialog).getByRole('status')).toHaveTextContent('多了 1 个字')
    await userEvent.keyboard('{Enter}')
    // It fades in.
    await waitFor(() => expect(dialog).toBeVisible(), patient)
    await userEvent.clear(field)
    await userEvent.type(field, '老王的新钱包{Enter}')
    await closed()
    await userEvent.click(within(await edit('老王的新钱包')).getByRole('button', { name: '删除' }))
    await closed()
    await within(list).findByText('没有找到“王”。', {}, patient)
    await userEvent.clear(search)
    await waitFor(() => expect(rows()).toHaveLength(11), patient)

    const ask = async () => {
      await userEvent.click(within(list).getByRole('button', { name: '全部删除' }))
      return screen.findByRole('dialog', { name: '删除全部 11 条备注？' }, patient)
    }
    await userEvent.click(within(await ask()).getByRole('button', { name: '取消' }))
    await closed()
    await expect(rows()).toHaveLength(11)
    await userEvent.click(within(await ask()).getByRole('button', { name: '全部删除' }))
    await within(list).findByText(/还没有备注/, {}, patient)
    await expect(localStorage.getItem(storageKey)).toBeNull()
  },
}

export const WithSearch: Story = {
  ...list({ labels: new Map(many.map((label) => [label.address, label])) }),
  globals: { viewport: { value: 'phone' }, locale: 'zh-CN' },
}
