import type { Meta, StoryObj } from '@storybook/react-vite'
import { Identicon } from './Avatar.tsx'

const meta: Meta<typeof Identicon> = { title: 'Wallet kit/Identicon', component: Identicon }
export default meta

export const Playground: StoryObj<typeof Identicon> = {
  args: { address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', size: 64 },
  argTypes: {
    address: { control: 'text', description: 'The address, in any case. Change a character to see another picture.' },
    size: { control: { type: 'range', min: 16, max: 128 }, description: 'Width and height in pixels.' },
  },
  parameters: { controls: { disable: false, include: ['address', 'size'] } },
  render: (args) => (
    <figure style={{ margin: 0 }}>
      <Identicon {...args} />
      <figcaption style={{ color: 'light-dark(#15181D, #E9E6DF)', overflowWrap: 'anywhere' }}>
        {args.address}
      </figcaption>
    </figure>
  ),
}
