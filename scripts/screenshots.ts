/** `pnpm screenshots [url]`: takes the README's pictures of the product at `url` (default http://localhost:5173). */
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { findBrowser } from './lib/browser.ts'

const url = process.argv[2] ?? 'http://localhost:5173'
const folder = join(import.meta.dirname, '../docs/images')
const leader = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const deepMember = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

const browser = await chromium.launch(await findBrowser())
for (const [name, path, colorScheme, width] of [
  ['community', `/?address=${leader}`, 'light', 1440],
  ['metrics', '/metrics', 'light', 1440],
  ['connect', '/', 'light', 1440],
  ['referrers-dark', `/referrers?address=${deepMember}`, 'dark', 1440],
  ['phone', `/?address=${leader}`, 'light', 390],
  ['phone-dark', `/referrals?address=${leader}`, 'dark', 390],
] as const) {
  const page = await browser.newPage({
    viewport: { width, height: width < 768 ? 844 : 900 },
    deviceScaleFactor: width < 768 ? 2 : 1,
    colorScheme,
    locale: 'zh-CN',
    reducedMotion: 'reduce',
  })
  await page.goto(`${url}${path}`)
  await page.getByRole('main').getByText(/\d/).first().waitFor()
  if (name === 'connect') {
    await page.getByRole('button', { name: '连接钱包' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'MetaMask' }).waitFor()
  }
  await page.waitForLoadState('networkidle').catch(() => undefined)
  await page.screenshot({ path: join(folder, `${name}.png`) })
  await page.close()
}
await browser.close()
