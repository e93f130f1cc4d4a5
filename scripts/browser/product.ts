import { type Community, createReferralClient, type Metrics } from '@lineage/referral-api'
import { test as base, type ConsoleMessage, expect, type Page, type Request } from '@playwright/test'
import { type Address, encodeFunctionData } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { pages } from '../../apps/web/src/paths.ts'
import { communityAbi } from '../demo-chain/contract.ts'
import { type CountedCommunity, countCommunity } from '../demo-chain/countCommunity.ts'
import { createRpc } from '../demo-chain/rpc.ts'
import { removeNewer, translatePage } from '../lib/visitorBrowsers.ts'
import { nodeUrl, stackUrl } from './stack.ts'

export { expect }

/** Paths of the pages, in the order of the bar. */
export const paths = Object.values(pages).map(({ path }) => path)

/**
 * Defines a test that also fails on any error in the browser's console and on any request to another host. Its pages have no
 * more interfaces than the oldest browsers, and are translated by the browser, unless `isTranslated` is `false`.
 */
export const test = base.extend<{ complaints: string[]; isTranslated: boolean }>({
  isTranslated: [true, { option: true }],
  complaints: [
    async ({ context, page, isTranslated }, use) => {
      await context.addInitScript(removeNewer)
      if (isTranslated) await context.addInitScript(translatePage)
      const complaints: string[] = []
      const onConsole = (message: ConsoleMessage) => {
        const isExpected = /Failed to load resource: the server responded with a status of (4\d\d|503)/.test(
          message.text(),
        )
        if (message.type() === 'error' && !isExpected) complaints.push(`console: ${message.text()}`)
      }
      const onRequest = (request: Request) => {
        const { origin, protocol } = new URL(request.url())
        if (/^https?:$/.test(protocol) && origin !== stackUrl) complaints.push(`asked ${origin}`)
      }
      // Chromium does not say in its console that the page's policy has stopped a compilation of text.
      await context.addInitScript(() =>
        addEventListener('securitypolicyviolation', (event) =>
          console.error(`${event.violatedDirective} forbids ${event.blockedURI} in ${event.sourceFile}`),
        ),
      )
      page.on('console', onConsole)
      page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`))
      page.on('request', onRequest)
      await use(complaints)
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],
})

/** Returns whether React has taken over these elements of the page, by default the field or heading. */
export const isStarted = (page: Page, elements = 'main :is(form, h1)'): Promise<boolean> =>
  page
    .locator(elements)
    .evaluateAll(
      (all) =>
        all.length > 0 && all.every((element) => Object.keys(element).some((key) => key.startsWith('__reactProps'))),
    )

/** Opens a page, and waits until React has taken over: one that the browser translates is drawn anew at its start. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await started(page)
}

/** Loads the page again, and waits as `visit` does. */
export async function reload(page: Page): Promise<void> {
  await page.reload()
  await started(page)
}

const started = (page: Page) => expect.poll(() => isStarted(page), { intervals: [50] }).toBe(true)

/** Waits until the browser has left the history entry of a closed dialog or menu: a load that begins before would be given up. */
export const layersLeft = (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate(() => history.state?.openLayers ?? 0)).toBe(0)

/** Scrolls to the map of the network on /metrics, whose code and answer are loaded once it is near. */
export const scrollToMap = (page: Page): Promise<void> =>
  page.getByRole('region', { name: /全网图|Map of the network/ }).scrollIntoViewIfNeeded()

export const api = createReferralClient({ baseUrl: `${stackUrl}/v1` })
export const communityId = 'demo'

export async function demoCommunity(): Promise<Community> {
  const { items } = await api.communities()
  const found = items.find(({ id }) => id === communityId)
  if (!found) throw new Error('The demo has no community.')
  return found
}

/** Returns the API's figures and an independent count of the chain's logs, both at the same block. */
export async function figuresAndCount(): Promise<{ metrics: Metrics; counted: CountedCommunity }> {
  const { contract, startBlock } = await demoCommunity()
  const metrics = await api.metrics(communityId)
  const counted = await countCommunity({
    rpcUrl: nodeUrl,
    contract,
    fromBlock: startBlock,
    toBlock: metrics.asOf.block,
  })
  return { metrics, counted }
}

/** Binds a new member to a referrer in a block of its own, as the product does every few seconds. */
export async function bindMember(referrer: Address) {
  const rpc = createRpc(nodeUrl)
  const from = privateKeyToAddress(generatePrivateKey())
  const data = encodeFunctionData({ abi: communityAbi, functionName: 'bind', args: [referrer] })
  await rpc('anvil_setBalance', [from, '0xde0b6b3a7640000'])
  await rpc('anvil_impersonateAccount', [from])
  await rpc('eth_sendTransaction', [{ from, to: (await demoCommunity()).contract, data }])
}

/** Finds the demo wallet's own window. */
export const walletWindow = (page: Page) => page.locator('lineage-demo-wallet dialog')

export async function connectDemoWallet(page: Page) {
  await page.getByRole('button', { name: '连接钱包' }).click()
  await page
    .getByRole('dialog', { name: '连接钱包' })
    .getByRole('button', { name: /Demo Wallet|演示钱包/ })
    .click()
  await walletWindow(page).getByRole('button', { name: '连接', exact: true }).click()
  await expect(accountButton(page)).toBeEnabled()
}

/** Connects the account of the demo wallet whose address starts with `begin`. */
export async function connectDemoAccount(page: Page, begin: string) {
  await page.getByRole('button', { name: '连接钱包' }).click()
  await page
    .getByRole('dialog', { name: '连接钱包' })
    .getByRole('button', { name: /Demo Wallet|演示钱包/ })
    .click()
  await walletWindow(page).getByText(begin, { exact: false }).click()
  await walletWindow(page).getByRole('button', { name: '连接', exact: true }).click()
}

/** Opens the demo wallet's panel, which changes account and network. */
export async function openDemoWallet(page: Page) {
  await page.getByRole('button', { name: '演示数据' }).click()
  await page.getByRole('button', { name: '打开演示钱包' }).click()
}

/** Finds the button of the first demo account in the bar: a page may show its address before. */
export const accountButton = (page: Page) => page.getByRole('banner').getByRole('button', { name: /0xf3…2266/ })

export const verifyDialog = (page: Page) => page.getByRole('dialog', { name: '验证你的账户' })

/** Opens the sign-in dialog of the account whose button is `account`. */
export async function openSignIn(page: Page, account = accountButton(page)) {
  await account.click()
  await page.getByRole('dialog', { name: '账户' }).getByRole('button', { name: '登录' }).click()
  await expect(verifyDialog(page)).toBeVisible()
}

/** Signs in with the demo wallet. */
export async function signIn(page: Page, account = accountButton(page)) {
  await openSignIn(page, account)
  await verifyDialog(page).getByRole('button', { name: '签名消息' }).click()
  await walletWindow(page).getByRole('button', { name: '签名', exact: true }).click()
  await expect(verifyDialog(page)).toHaveCount(0)
}
