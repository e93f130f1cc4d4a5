import { join } from 'node:path'
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { findInstalled } from '../scripts/lib/browser.ts'
import { shared } from '../scripts/vitest/shared.ts'
import { conditions } from './conditions.ts'

const executablePath = findInstalled()
// Chromium has no sandbox for root.
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
const { testTimeout } = shared

/** Creates the settings of a browser. Each project needs its own object, because Vitest changes it. */
const createBrowser = () => ({
  enabled: true,
  headless: true,
  screenshotFailures: false,
  provider: playwright({ launchOptions: { args, ...(executablePath && { executablePath }) } }),
  instances: [{ browser: 'chromium' as const }],
})

/**
 * Renders every story in a real browser, which translates it. A story fails if it throws an error or axe finds a problem.
 */
export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    projects: [
      {
        plugins: [storybookTest({ configDir: import.meta.dirname })],
        test: { name: 'stories', testTimeout, setupFiles: ['.storybook/stories.setup.ts'], browser: createBrowser() },
      },
      {
        resolve: { conditions },
        test: {
          name: 'looks',
          testTimeout,
          include: ['.storybook/looks.test.ts'],
          setupFiles: ['.storybook/looks.setup.ts'],
          browser: createBrowser(),
        },
      },
    ],
  },
})
