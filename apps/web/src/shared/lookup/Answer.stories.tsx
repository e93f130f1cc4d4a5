import type { Meta, StoryObj } from '@storybook/react-vite'
import { StoryApp } from '../../../test/StoryApp.tsx'
import { StaleNote } from './Answer.tsx'
import { FailureView } from './FailureView.tsx'
import type { Failure } from './failure.ts'
import IndexingView from './IndexingView.tsx'
import { Skeleton } from './Skeleton.tsx'

const nothing = () => {}
const failed = (failure: Failure) => <FailureView failure={failure} onRetry={nothing} isRetrying={false} />

const meta = {
  title: 'Web/States of a lookup',
  component: StoryApp,
  render: (parameters, { globals }) => <StoryApp {...parameters} language={String(globals.locale)} />,
  args: { path: '/', children: null },
} satisfies Meta<typeof StoryApp>

export default meta
type Story = StoryObj<typeof meta>

export const Loading: Story = { args: { children: <Skeleton /> } }
export const Starting: Story = { args: { children: <IndexingView progress={undefined} /> } }
export const MakingTheDemoChain: Story = {
  args: { children: <IndexingView progress={{ phase: 'chain', done: 300, total: 800 }} /> },
}
export const ReadingTheChain: Story = {
  args: { children: <IndexingView progress={{ phase: 'indexing', done: 790, total: 800 }} /> },
}
export const NotAMember: Story = { args: { children: failed({ kind: 'notMember' }) } }
export const Unreachable: Story = { args: { children: failed({ kind: 'unreachable' }) } }
export const Retrying: Story = {
  args: { children: <FailureView failure={{ kind: 'unreachable' }} onRetry={nothing} isRetrying /> },
}
export const Offline: Story = { args: { children: failed({ kind: 'offline' }) } }
export const TooMany: Story = { args: { children: failed({ kind: 'busy', seconds: 12 }) } }
export const Failed: Story = {
  args: { children: failed({ kind: 'failed', detail: 'The answer is not what the contract says.' }) },
}
export const StaleAnswer: Story = {
  args: {
    children: (
      <StaleNote failure={{ kind: 'unreachable' }} since={Date.now() - 180_000} onRetry={nothing} isRetrying={false} />
    ),
  },
}
