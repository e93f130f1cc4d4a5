import type { Meta, StoryObj } from '@storybook/react-vite'
import { addressOf } from '../../../test/forest.ts'
import { StoryApp } from '../../../test/StoryApp.tsx'
import { WithCommunity } from '../lookup/WithCommunity.tsx'
import CardDialog from './CardDialog.tsx'

const dialogOf = (index: number) => (
  <WithCommunity skeleton={null}>{() => <CardDialog address={addressOf(index)} onClose={() => {}} />}</WithCommunity>
)

const meta = {
  title: 'Web/Card',
  component: StoryApp,
  render: (parameters, { globals }) => <StoryApp {...parameters} language={String(globals.locale)} />,
  args: { path: '/', children: dialogOf(1) },
} satisfies Meta<typeof StoryApp>

export default meta
type Story = StoryObj<typeof meta>

export const OfAMember: Story = {}
export const OfARoot: Story = { args: { children: dialogOf(0) } }
export const OfAPastDay: Story = { args: { path: '/?asOf=2026-06-01' } }
export const OnAPhone: Story = { globals: { viewport: { value: 'phone' } } }
export const Failed: Story = { args: { state: { brokenOn: '/growth' } } }
