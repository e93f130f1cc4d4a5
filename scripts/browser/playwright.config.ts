import { defineConfig } from '@playwright/test'
import { findBrowser } from '../lib/browser.ts'
import { stackEnvironment, stackUrl } from './stack.ts'

const browser = await findBrowser()

/** Tests the whole product, started by `scripts/start.ts`, in Chromium. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../../test-results',
  // One worker: there is one product, and some tests stop parts of it.
  workers: 1,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  timeout: 120_000,
  // Below the time that a step of `npm test` may take: the tests that are running are named.
  globalTimeout: 19 * 60_000,
  expect: { timeout: 30_000 },
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
