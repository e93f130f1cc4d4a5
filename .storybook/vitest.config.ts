import { join } from 'node:path'
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { findInstalled } from '../scripts/lib/browser.ts'
import { alias, conditions } from './conditions.ts'

const executablePath = findInstalled()
// Chromium has no sandbox for root.
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []

/** Creates the settings of a browser, one object for each project: Vitest writes into it. */
const createBrowser = () => ({
  enabled: true,
  headless: true,
  screenshotFailures: false,
  provider: playwright({ launchOptions: { args, ...(executablePath && { executablePath }) } }),
  instances: [{ browser: 'chromium' as const }],
})

/** Draws every story in a real browser: it throws no error, and axe finds nothing. */
export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    projects: [
      {
        plugins: [storybookTest({ configDir: import.meta.dirname })],
        test: { name: 'stories', browser: createBrowser() },
      },
      {
        resolve: { alias, conditions },
        test: {
          name: 'looks',
          include: ['.storybook/looks.test.ts'],
          setupFiles: ['.storybook/looks.setup.ts'],
          browser: createBrowser(),
        },
      },
    ],
  },
})
