import type { Meta, StoryObj } from '@storybook/react-vite'
import { addressOf, createForest } from '../../../test/forest.ts'
import { StoryApp } from '../../../test/StoryApp.tsx'
import { Router } from '../../router.tsx'

const meta = {
  title: 'Web/Map',
  component: StoryApp,
  parameters: { layout: 'fullscreen' },
  render: (parameters, { globals }) => <StoryApp {...parameters} language={String(globals.locale)} />,
  args: { path: '/', children: <Router /> },
} satisfies Meta<typeof StoryApp>

export default meta
type Story = StoryObj<typeof meta>

const forest = createForest()
const [root, member] = [addressOf(0), addressOf(1)]
const leg = addressOf(forest.rows[0]?.children[1] ?? 2)
const map = `/referrals?address=${root}&view=map`
const phone = { viewport: { value: 'phone' } }
const large = { maps: 'large' } as const

export const OfATeam: Story = { args: { path: map } }
export const OfMillions: Story = { args: { path: map, state: large } }
export const OfMillionsOnAPhone: Story = { args: { path: map, state: large }, globals: phone }
export const ByVolume: Story = { args: { path: `${map}&by=volume` } }
export const ALegZoomedIn: Story = { args: { path: `${map}&leg=${leg}` } }
export const ALegOfAnotherTeam: Story = { args: { path: `/referrals?address=${member}&view=map&leg=${leg}` } }
export const WithoutReferrals: Story = { args: { path: `${map}&leg=${addressOf(forest.deepest)}` } }
export const BesideTheTree: Story = { args: { path: `/referrals?address=${root}`, state: large } }
export const Loading: Story = { args: { path: map, state: { held: new Promise(() => {}) } } }
export const Failed: Story = { args: { path: map, state: { brokenOn: '/map' } } }
