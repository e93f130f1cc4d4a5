import { createWalletKit, formatAddress } from '@lineage/wallet-kit/core'
import { createSiweServer, memorySiweStore } from '@lineage/wallet-kit/siwe-server'
import { createScriptedWallet } from '@lineage/wallet-kit/testing'
import { defaultWallets } from '@lineage/wallet-kit/wallets'
import { createWalletClient, custom, http } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { bsc } from 'viem/chains'
import { createSiweMessage } from 'viem/siwe'

const transports = { [bsc.id]: http() }
const origin = 'https://app.example'

// A server may create a kit, to render the first state of a page.
const kit = createWalletKit({ appName: 'Node', chains: [bsc], transports, wallets: defaultWallets() })
console.log(`A server renders: ${kit.getState().status}`)

const auth = createSiweServer({
  origins: [origin],
  secrets: ['only-for-this-example-0123456789abcdef'],
  transports,
  store: memorySiweStore(),
})

/** Requests a nonce from the server, like a browser. Returns it with its cookie. */
async function askNonce(): Promise<{ nonce: string; cookie: string }> {
  const response = await auth.nonce(new Request(`${origin}/auth/nonce`, { headers: { origin } }), { visitor: 'node' })
  const { nonce } = (await response.json()) as { nonce: string }
  return { nonce, cookie: readCookie(response) }
}

const readCookie = (response: Response): string => response.headers.getSetCookie()[0]?.split(';')[0] ?? ''

// Replaces the user: a scripted wallet that signs with a new key.
const { provider } = createScriptedWallet({ privateKey: generatePrivateKey() })
const wallet = createWalletClient({ chain: bsc, transport: custom(provider) })
const [account] = await wallet.requestAddresses()
if (!account) throw new Error('The wallet has no account.')

const { nonce, cookie } = await askNonce()
const message = createSiweMessage({
  version: '1',
  domain: new URL(origin).host,
  uri: origin,
  nonce,
  address: account,
  chainId: bsc.id,
})
const signature = await wallet.signMessage({ account, message })

const verified = await auth.verify(
  new Request(`${origin}/auth/verify`, {
    method: 'POST',
    headers: { origin, cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ message, signature }),
  }),
  { visitor: 'node' },
)
const session = await auth.getSession(new Request(origin, { headers: { cookie: readCookie(verified) } }))
if (session?.address !== account) throw new Error(`The server refused: ${await verified.text()}`)
console.log(`Signed in: ${formatAddress(session.address)}`)
