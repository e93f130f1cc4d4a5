import { defineConfig } from '@playwright/test'
import { findBrowser } from '../lib/browser.ts'
import { testLimit } from '../vitest/limits.ts'
import { stackEnvironment, stackUrl } from './stack.ts'

const browser = await findBrowser()

/** Tests the whole product, started by `scripts/start.ts`, in Chromium. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  // Most tests wait for the browser, which leaves a second core idle.
  workers: 2,
  fullyParallel: false,
  projects: [
    { name: 'product', testIgnore: 'outage.spec.ts' },
    // Its tests stop parts of the product, so they run after the others. `--no-deps` runs them alone.
    { name: 'outage', testMatch: 'outage.spec.ts', dependencies: ['product'] },
  ],
  forbidOnly: Boolean(process.env.CI),
  timeout: testLimit,
  // Below the time that a step of `npm test` may take: the tests that are running are named.
  globalTimeout: 19 * 60_000,
  expect: { timeout: 60_000 },
  reporter: process.env.LINEAGE_REPORT ? [['list'], ['json', { outputFile: process.env.LINEAGE_REPORT }]] : [['list']],
  use: {
    baseURL: stackUrl,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    launchOptions: browser,
  },
  webServer: {
    command: 'node scripts/start.ts',
    cwd: '../..',
    url: `${stackUrl}/v1/ready`,
    env: stackEnvironment,
    reuseExistingServer: false,
    timeout: 300_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    stdout: 'ignore',
  },
})
