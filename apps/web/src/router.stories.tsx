import type { Meta, StoryObj } from '@storybook/react-vite'
import { addressOf, createForest } from '../test/forest.ts'
import { StoryApp } from '../test/StoryApp.tsx'
import { Router } from './router.tsx'

const meta = {
  title: 'Web/Pages',
  component: StoryApp,
  parameters: { layout: 'fullscreen' },
  render: (parameters, { globals }) => <StoryApp {...parameters} language={String(globals.locale)} />,
  args: { path: '/', children: <Router /> },
} satisfies Meta<typeof StoryApp>

export default meta
type Story = StoryObj<typeof meta>

const member = addressOf(1)
const deep = addressOf(createForest().deepest)

export const Start: Story = {}
export const Community: Story = { args: { path: `/?address=${member}` } }
export const TwoDaysCompared: Story = {
  args: { path: `/?address=${member}&dayFrom=2026-08-01&dayTo=2026-11-01` },
}
export const NetworkData: Story = { args: { path: '/metrics' } }
export const NetworkDataWithWarnings: Story = {
  args: {
    path: '/metrics',
    state: {
      warnings: [
        { kind: 'node_without_logs', node: 'node-one.example', community: null, message: 'eth_getLogs is off.' },
        { kind: 'referrers_differ', node: null, community: 'demo', message: 'One member differs.' },
      ],
    },
  },
}
export const Address: Story = { args: { path: `/search?address=${member}` } }
export const AddressAsOfADay: Story = { args: { path: `/search?address=${member}&asOf=2026-06-01` } }
export const AddressAsOfADayOnAPhone: Story = {
  args: { path: `/search?address=${member}&asOf=2026-06-01` },
  globals: { viewport: { value: 'phone' } },
}
export const DirectsAsOfABlock: Story = { args: { path: `/referrals?address=${member}&asOf=40000300` } }
export const UplineAsOfADay: Story = { args: { path: `/referrers?address=${deep}&asOf=2026-06-01` } }
export const AsOfADayToCome: Story = { args: { path: `/search?address=${member}&asOf=2099-01-01` } }
export const AddressRewards: Story = { args: { path: `/search?address=${member}&kind=reward` } }
export const AddressOnAPhone: Story = {
  args: { path: `/search?address=${member}` },
  globals: { viewport: { value: 'phone' } },
}
export const AddressWithoutEventsOfAKind: Story = { args: { path: `/search?address=${deep}&kind=reward` } }
export const AddressEventsThatFail: Story = {
  args: { path: `/search?address=${member}`, state: { brokenOn: '/events' } },
}
const several = { communities: 'several' } as const
export const AddressInSeveralCommunities: Story = { args: { path: `/search?address=${member}`, state: several } }
export const AllCommunities: Story = { args: { path: '/metrics?view=communities', state: several } }
const list = [0, 1, 2, 3, 4, 5, 6].map(addressOf)
export const AddressList: Story = {
  args: {
    path: '/search?view=list',
    kept: { list: [...list, list[1], '0x000000000000000000000000000000000000dEaD', '0x1234', '老王'].join('\n') },
    state: { names: { service: false, bnb: true } },
  },
}
export const AddressListWithoutANode: Story = {
  args: { path: '/search?view=list', kept: { list: list.join('\n') }, state: { node: 'broken' } },
}
export const AddressListToPaste: Story = { args: { path: '/search?view=list' } }
export const DownstreamTree: Story = { args: { path: `/referrals?address=${member}` } }
export const DownstreamTable: Story = { args: { path: `/referrals?address=${member}&level=2&sort=team` } }
const filtered = `/referrals?address=${member}&minTeam=3&joinedFrom=2026-01-01&levelTo=6`
export const DownstreamFiltered: Story = { args: { path: filtered } }
export const DownstreamFilteredOnAPhone: Story = { args: { path: filtered }, globals: { viewport: { value: 'phone' } } }
export const DownstreamFilteredEmpty: Story = { args: { path: `/referrals?address=${member}&bound=false` } }
export const DownstreamTooCostlyToSort: Story = {
  args: { path: `${filtered}&sort=team`, state: { filters: 'costly' } },
}
export const Upstream: Story = { args: { path: `/referrers?address=${deep}` } }
const other = addressOf(createForest().deepest - 290)
export const RelationOfTwo: Story = {
  args: { path: `/referrers?view=relation&address=${deep}&to=${member}` },
}
export const RelationOnAPhone: Story = {
  args: { path: `/referrers?view=relation&address=${deep}&to=${other}` },
  globals: { viewport: { value: 'phone' } },
}
export const RelationToEnter: Story = { args: { path: `/referrers?view=relation&address=${member}` } }
export const RelationToAStranger: Story = {
  args: { path: `/referrers?view=relation&address=${member}&to=0x000000000000000000000000000000000000dEaD` },
}
const dispute = `/referrers?view=dispute&address=${deep}&to=${addressOf(2)}&dayFrom=2025-01-01&dayTo=2026-11-20`
export const DisputeOfTwo: Story = { args: { path: dispute } }
export const DisputeOnAPhone: Story = { args: { path: dispute }, globals: { viewport: { value: 'phone' } } }
export const Phone: Story = { args: { path: `/?address=${member}` }, globals: { viewport: { value: 'phone' } } }

export const NotAMember: Story = { args: { path: '/?address=0x000000000000000000000000000000000000dEaD' } }
export const InvalidAddress: Story = { args: { path: '/?address=0x12zz' } }
export const Indexing: Story = { args: { path: `/?address=${member}`, state: { mode: 'indexing' } } }
export const Unreachable: Story = { args: { path: `/?address=${member}`, state: { mode: 'silent' } } }
const withheld = { communities: 'withheld' } as const
export const Withheld: Story = { args: { path: `/?address=${member}`, state: withheld } }
export const WithheldStart: Story = { args: { path: '/', state: { ...withheld, withheld: 'start_late' } } }
export const WithheldOfSeveral: Story = { args: { path: '/metrics?community=birch', state: several } }
export const NoSuchCommunity: Story = { args: { path: `/?address=${member}&community=other` } }
export const NotFound: Story = { args: { path: '/nowhere' } }
