import type { StorybookConfig } from '@storybook/react-vite'
import { relayClient } from '../packages/wallet-kit/buildRelayClient.ts'
import { conditions } from './conditions.ts'

const config: StorybookConfig = {
  framework: '@storybook/react-vite',
  stories: ['../packages/*/src/**/*.mdx', '../packages/*/src/**/*.stories.tsx', '../apps/*/src/**/*.stories.tsx'],
  addons: ['@storybook/addon-a11y', '@storybook/addon-docs', '@storybook/addon-vitest'],
  core: { disableTelemetry: true, disableWhatsNewNotifications: true },
  typescript: { reactDocgen: 'react-docgen' },
  viteFinal: (vite) => ({
    ...vite,
    plugins: [...(vite.plugins ?? []), relayClient()],
    resolve: { ...vite.resolve, conditions },
  }),
}

export default config
