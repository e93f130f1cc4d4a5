// @vitest-environment node
import { readFileSync } from 'node:fs'
import { AxeBuilder } from '@axe-core/playwright'
import { transform } from 'esbuild'
import { expect, onTestFinished, test } from 'vitest'
import { codeBlocks } from '../../../../../scripts/docs/markdown.ts'
import { buildPage } from '../../../test/buildPage.ts'
import { launchBrowser } from '../../../test/launchBrowser.ts'
import { servePage } from '../../../test/servePage.ts'

/** The guide's dialog for shadcn/ui. */
function readGuide(): string {
  const guide = readFileSync(new URL('../../../../../apps/docs/pages/guide/headless.md', import.meta.url), 'utf8')
  const { code } = codeBlocks(guide.slice(guide.indexOf('## With shadcn/ui')))[0] ?? {}
  if (!code) throw new Error('The guide has no code for shadcn/ui.')
  return code
}

/** An app with the guide's dialog, and with components on Radix as those of shadcn/ui are. */
const app = `
  import * as Radix from '@radix-ui/react-dialog'
  import { createRoot } from 'react-dom/client'
  import { ConnectButton, WalletKitProvider } from '@lineage/wallet-kit'
  import { createWalletKit } from '@lineage/wallet-kit/core'
  import { announceWallet, createScriptedWallet } from '@lineage/wallet-kit/testing'
  import { defaultWallets } from '@lineage/wallet-kit/wallets'
  import { custom } from 'viem'
  import { bsc } from 'viem/chains'

  const Dialog = Radix.Root
  const DialogTitle = (props) => <Radix.Title data-title="" {...props} />
  const DialogContent = (props) => (
    <Radix.Portal>
      <Radix.Overlay style={{ position: 'fixed', inset: 0 }} />
      <Radix.Content aria-describedby={undefined} style={{ position: 'relative' }} {...props} />
    </Radix.Portal>
  )
  const Button = ({ variant, ...props }) => <button data-variant={variant} style={{ minHeight: 32 }} {...props} />

  ${readGuide()}

  const { provider } = createScriptedWallet({
    privateKey: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  })
  announceWallet({ info: { name: 'MetaMask', rdns: 'io.metamask' }, provider })
  const node = custom({ request: async ({ method }) => (method === 'eth_getBalance' ? '0x0' : null) }, { retryCount: 0 })
  const kit = createWalletKit({ appName: 'Page', chains: [bsc], transports: { 56: node }, wallets: defaultWallets() })
  void kit.connect({ walletId: 'metaMask' })
  createRoot(document.getElementById('root')).render(
    <WalletKitProvider kit={kit} locale="en" dialogs="none">
      <main>
        <ConnectButton />
        <MyAccount />
      </main>
    </WalletKitProvider>,
  )
`

test('behavior: in the guide’s dialog, Radix has the name, the focus and Esc, the kit the address and what buttons do', async () => {
  const { code } = await transform(app, { loader: 'tsx', jsx: 'automatic' })
  const [files, browser] = await Promise.all([buildPage(code, { mode: 'development' }), launchBrowser()])
  const site = await servePage(files)
  const page = await browser.newPage()
  page.setDefaultTimeout(60_000)
  onTestFinished(async () => {
    await page.close()
    site.close()
  })
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  await page.goto(site.url)

  const button = page.getByRole('button', { name: '0xf3…2266' })
  const dialog = page.getByRole('dialog', { name: '0xf3…2266' })
  await button.click()
  await dialog.waitFor()
  const hasFocus = () => dialog.evaluate((element) => element.contains(document.activeElement))
  await expect.poll(hasFocus).toBe(true)
  expect(await dialog.locator('h2[data-title]').count()).toBe(1)
  expect(await dialog.locator('button').evaluateAll((all) => all.map((it) => it.getAttribute('data-variant')))).toEqual(
    ['outline', 'ghost'],
  )
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().include('[role=dialog]').analyze()
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([])

  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true)
  await button.click()
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Connect Wallet' }).waitFor()
  expect(problems).toEqual([])
})
