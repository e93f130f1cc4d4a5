import { join } from 'node:path'
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { findInstalled } from '../scripts/lib/browser.ts'
import { alias, conditions } from './conditions.ts'

const executablePath = findInstalled()
// Chromium refuses its sandbox to root.
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []

/** Made anew for each project: Vitest writes its name into it. */
const createBrowser = () => ({
  enabled: true,
  headless: true,
  screenshotFailures: false,
  provider: playwright({ launchOptions: { args, ...(executablePath && { executablePath }) } }),
  instances: [{ browser: 'chromium' as const }],
})

/** Stories in a real browser: each is drawn without an error, and axe finds nothing. */
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
