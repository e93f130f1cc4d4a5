import type { Meta, StoryObj } from '@storybook/react-vite'
import { StoryApp } from '../../../test/StoryApp.tsx'
import { CsvRow } from './CsvExport.tsx'

const nothing = () => {}
const row = { rows: 1_200_000, idle: '1,200,000 · 170 MB', onStart: nothing, onCancel: nothing }

const meta = {
  title: 'Web/CSV export',
  component: StoryApp,
  render: (parameters, { globals }) => <StoryApp {...parameters} language={String(globals.locale)} />,
  args: { path: '/', children: null },
} satisfies Meta<typeof StoryApp>

export default meta
type Story = StoryObj<typeof meta>

export const EveryState: Story = {
  args: {
    children: (
      <>
        <CsvRow {...row} now={{ state: 'idle' }} />
        <CsvRow {...row} now={{ state: 'running', rows: 430_000 }} />
        <CsvRow {...row} now={{ state: 'saved', rows: 1_200_000 }} />
        <CsvRow {...row} now={{ state: 'cancelled', left: 'nothing' }} />
        <CsvRow {...row} now={{ state: 'cancelled', left: 'emptyFile' }} />
        <CsvRow {...row} now={{ state: 'failed', rows: 0, why: 'unreachable', left: 'nothing' }} />
        <CsvRow {...row} now={{ state: 'failed', rows: 812_500, why: 'unreachable', left: 'nothing' }} />
        <CsvRow {...row} now={{ state: 'failed', rows: 0, why: 'offline', left: 'nothing' }} />
        <CsvRow {...row} now={{ state: 'failed', rows: 812_500, why: 'offline', left: 'emptyFile' }} />
        <CsvRow {...row} now={{ state: 'failed', rows: 812_500, why: 'disk', left: 'emptyFile' }} />
      </>
    ),
  },
}
