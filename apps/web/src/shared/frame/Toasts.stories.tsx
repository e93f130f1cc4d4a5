import type { Meta, StoryObj } from '@storybook/react-vite'
import { screen, userEvent } from 'storybook/test'
import { StoryApp } from '../../../test/StoryApp.tsx'
import { useTranslation } from '../../lib/i18n.ts'
import { useNotify } from '../../lib/notices.ts'
import { Button } from './Button.tsx'

/** Adds three notices. */
function Tell() {
  const { t } = useTranslation()
  const notify = useNotify()
  const onClick = () => {
    const description = 'Bind to referrer 0x3C44…93BC'
    const link = { text: t('transaction.view', { explorer: 'BscScan' }), url: 'https://bscscan.com' }
    notify(`${t('transaction.confirmed')}\n${description}`, 'success', link)
    notify(`${t('transaction.cancelled')}\n${description}`, 'info', link)
    notify(`${t('transaction.reverted')}\n${description}`, 'error')
  }
  return <Button onClick={onClick}>Tell</Button>
}

const meta = {
  title: 'Web/Toasts',
  component: StoryApp,
  parameters: { layout: 'fullscreen' },
  render: (parameters, { globals }) => <StoryApp {...parameters} language={String(globals.locale)} />,
  args: { path: '/', children: <Tell /> },
  play: async () => {
    await userEvent.click(await screen.findByRole('button'))
    await screen.findByRole('alert')
  },
} satisfies Meta<typeof StoryApp>

export default meta
type Story = StoryObj<typeof meta>

export const Transactions: Story = {}
export const Phone: Story = { globals: { viewport: { value: 'phone' }, locale: 'zh-CN' } }
