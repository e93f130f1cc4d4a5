import type { Meta, StoryObj } from '@storybook/react-vite'
import { Suspense } from 'react'
import { expect, screen, userEvent, waitFor, within } from 'storybook/test'
import { addressOf } from '../../../test/forest.ts'
import { StoryApp } from '../../../test/StoryApp.tsx'
import { useCommunities } from '../lookup/useCommunity.ts'
import AlertsDialog from './AlertsDialog.tsx'
import WatchDialog from './WatchDialog.tsx'

/** Time limit for a busy machine. */
const patient = { timeout: 10_000 }
const nothing = () => {}

const meta = {
  title: 'Web/Alerts',
  component: StoryApp,
  render: (parameters, { globals }) => <StoryApp {...parameters} language={String(globals.locale)} />,
  args: {
    path: '/',
    children: (
      <Suspense>
        <AlertsDialog account={addressOf(0)} onClose={nothing} />
      </Suspense>
    ),
  },
} satisfies Meta<typeof StoryApp>

export default meta
type Story = StoryObj<typeof meta>

function Watching({ index }: { index: number }) {
  const community = useCommunities().data?.items[0]
  return (
    community && (
      <Suspense>
        <WatchDialog account={addressOf(0)} community={community} address={addressOf(index)} onClose={nothing} />
      </Suspense>
    )
  )
}

/** One alert of each kind; the last one was retracted. */
export const List: Story = {}
export const ListOnAPhone: Story = { globals: { viewport: { value: 'phone' }, locale: 'zh-CN' } }
export const Empty: Story = { args: { state: { alerts: 'none' } } }
export const Failed: Story = { args: { state: { mode: 'broken' } } }

/** The next page cannot be loaded. */
export const NextPageFailed: Story = {
  args: { state: { alerts: 'many', brokenOn: 'cursor=' } },
  globals: { locale: 'en' },
  play: async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Show 50 more' }, patient))
    await expect(await screen.findByRole('button', { name: 'Retry' }, patient)).toHaveFocus()
    await expect(screen.getByText('Your alerts could not be loaded. Try again later.')).toBeVisible()
    await expect(screen.getAllByRole('listitem')).toHaveLength(10)
  },
}

/** A working webhook and a paused one, with the receivers' answers. */
export const Settings: Story = {
  globals: { locale: 'en' },
  play: async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Alert settings' }, patient))
    const dialog = await screen.findByRole('dialog', { name: 'Alert settings' }, patient)
    const paused = await within(dialog).findByText('Paused: it has failed for a day', {}, patient)
    // It fades in.
    await waitFor(() => expect(paused).toBeVisible(), patient)
    for (const summary of within(dialog).getAllByText('Last deliveries')) await userEvent.click(summary)
    // The answer of a receiver is shown as text.
    await expect(within(dialog).getByText('<script>alert(1)</script>')).toBeVisible()
    await expect(within(dialog).getAllByRole('button', { name: 'Resume' })).toHaveLength(1)
  },
}

export const Watch: Story = { args: { children: <Watching index={1} /> } }
export const NewWatchOnAPhone: Story = {
  args: { children: <Watching index={9} /> },
  globals: { viewport: { value: 'phone' }, locale: 'zh-CN' },
  play: async () => {
    const dialog = await screen.findByRole('dialog', { name: '提醒设置' }, patient)
    const field = await within(dialog).findByRole('textbox', {}, patient)
    await userEvent.type(field, '1.2.3')
    await expect(within(dialog).getByRole('status')).toHaveTextContent('请输入数字')
    await expect(within(dialog).getByRole('button', { name: '保存' })).toBeDisabled()
    await userEvent.clear(field)
    await userEvent.type(field, '1,000.5')
    await expect(within(dialog).getByRole('button', { name: '保存' })).toBeEnabled()
  },
}
