// @vitest-environment node
import { AxeBuilder } from '@axe-core/playwright'
import { expect, onTestFinished, test } from 'vitest'
import { buildPage } from '../../../test/buildPage.ts'
import { launchBrowser } from '../../../test/launchBrowser.ts'
import { servePage } from '../../../test/servePage.ts'

/** An app that draws each of the four dialogs of parts, in the platform's `<dialog>`. Sizes are up to the app. */
const app = `
  import { createElement as h } from 'react'
  import { createRoot } from 'react-dom/client'
  import { ConnectButton, useWalletKit, useWalletKitState, WalletKitProvider } from '@lineage/wallet-kit'
  import { createWalletKit } from '@lineage/wallet-kit/core'
  import { Account, Connect, Network, SignIn } from '@lineage/wallet-kit/parts'
  import { announceWallet, createScriptedWallet } from '@lineage/wallet-kit/testing'
  import { defaultWallets } from '@lineage/wallet-kit/wallets'
  import { createScriptedAuthentication } from '/src/testing/createScriptedAuthentication.ts'
  import { custom } from 'viem'
  import { bsc, mainnet } from 'viem/chains'

  window.wallet = createScriptedWallet({
    privateKey: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80', knownChains: [1, 56],
  })
  announceWallet({ info: { name: 'MetaMask', rdns: 'io.metamask' }, provider: window.wallet.provider })
  const node = custom({ request: async ({ method }) => (method === 'eth_getBalance' ? '0x0' : null) }, { retryCount: 0 })
  const kit = createWalletKit({
    appName: 'Page', chains: [bsc, mainnet], transports: { 1: node, 56: node }, wallets: defaultWallets(),
    authentication: { adapter: createScriptedAuthentication(), required: true },
  })

  const wallet = (wallet) => h(Connect.Wallet, { key: wallet.id, wallet },
    h(Connect.WalletIcon), h(Connect.WalletName), h(Connect.WalletMark))
  const dialogs = {
    connect: h(Connect.Root, {}, h(Connect.Title), h(Connect.Close, {}, 'Close'), h(Connect.Status),
      h(Connect.Step, { name: 'list' },
        h(Connect.Search),
        h(Connect.List, {}, (groups) => groups.map((group) =>
          h(Connect.Group, { key: group.name, group }, h(Connect.GroupLabel), group.wallets.map(wallet)))),
        h(Connect.Empty)),
      h(Connect.Step, { name: 'connecting' }, h(Connect.StepTitle), h(Connect.StepText), h(Connect.Retry))),
    account: h(Account.Root, {}, h(Account.Name), h(Account.Balance), h(Account.Address), h(Account.Copy),
      h(Account.Session), h(Account.Disconnect)),
    network: h(Network.Root, {}, h(Network.Warning),
      h(Network.List, {}, (chains) => chains.map((chain) => h('li', { key: chain.chain.id }, h(Network.Chain, { chain })))),
      h(Network.Outcome)),
    signIn: h(SignIn.Root, {}, h(SignIn.Status), h(SignIn.Address), h(SignIn.Text), h(SignIn.Outcome), h(SignIn.Submit),
      h(SignIn.Cancel)),
  }
  function Dialogs() {
    const name = useWalletKitState(({ dialog }) => dialog.name)
    const { closeDialog } = useWalletKit()
    const show = (element) => void (element?.open === false && element.showModal())
    return name && dialogs[name] ? h('dialog', { key: name, ref: show, 'aria-label': name, onClose: closeDialog }, dialogs[name]) : null
  }
  createRoot(document.getElementById('root')).render(
    h(WalletKitProvider, { kit, locale: 'en', dialogs: 'none' }, h('style', {}, 'button { min-height: 32px }'), h('main', {}, h(ConnectButton)), h(Dialogs)))
`

test('behavior: dialogs of the app connect, sign in and switch, are accessible, and the kit’s own never load', async () => {
  const [files, browser] = await Promise.all([buildPage(app), launchBrowser()])
  const site = await servePage(files)
  const page = await browser.newPage()
  onTestFinished(async () => {
    await page.close()
    site.close()
  })
  page.setDefaultTimeout(60_000)
  const problems: string[] = []
  const asked: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(site.url)

  const shown = async (name: string) => {
    const dialog = page.getByRole('dialog', { name, exact: true })
    await dialog.waitFor()
    expect(await page.getByRole('dialog').count()).toBe(1)
    const axe = new AxeBuilder({ page }).setLegacyMode().include('dialog')
    const { violations } = await axe.withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']).analyze()
    expect(violations.map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html}`)).toEqual([])
    return dialog
  }

  await page.getByRole('button', { name: 'Connect Wallet' }).click()
  await (await shown('connect')).getByRole('button', { name: 'MetaMask', exact: true }).click()
  await (await shown('signIn')).getByRole('button', { name: 'Sign message' }).click()
  const account = page.getByRole('button', { name: '0xf3…2266' })
  await account.waitFor()

  await page.evaluate('window.wallet.setChain(137)')
  await page.getByRole('button', { name: 'Wrong network' }).click()
  await (await shown('network')).getByRole('button', { name: 'BNB Smart Chain' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await account.click()
  await (await shown('account')).getByRole('button', { name: 'Disconnect' }).click()
  await page.getByRole('button', { name: 'Connect Wallet' }).click()
  await shown('connect')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  expect([...files.keys()].filter((file) => /Dialogs/.test(file))).not.toEqual([])
  expect(asked.filter((file) => /Dialogs/.test(file))).toEqual([])
  expect(problems).toEqual([])
})
