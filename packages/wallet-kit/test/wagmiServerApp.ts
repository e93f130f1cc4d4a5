import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement as h, type ReactElement } from 'react'
import { http } from 'viem'
import { bsc } from 'viem/chains'
import {
  cookieStorage,
  cookieToInitialState,
  createConfig,
  createStorage,
  useConnection,
  useDisconnect,
  WagmiProvider,
} from 'wagmi'
import { createWalletKit } from '../src/core/createWalletKit.ts'
import { ConnectButton } from '../src/react/ConnectButton/ConnectButton.tsx'
import { WalletKitProvider } from '../src/react/WalletKitProvider.tsx'
import { kitConnector } from '../src/wagmi/kitConnector.ts'
import { defaultWallets } from '../src/wallets/defaultWallets.ts'

/**
 * Creates the app of a page that a server renders with wagmi's cookie. The server creates one for each request, the
 * browser its own.
 */
export function createWagmiServerApp(rpcUrl: string, cookie: string) {
  const chains = [bsc] as const
  const transports = { [bsc.id]: http(rpcUrl) }
  const kit = createWalletKit({ appName: 'Page', chains, transports, wallets: defaultWallets() })
  const config = createConfig({
    chains,
    transports,
    connectors: [kitConnector(kit)],
    multiInjectedProviderDiscovery: false,
    storage: createStorage({ storage: cookieStorage }),
    ssr: true,
  })
  const initialState = cookieToInitialState(config, cookie)
  const app: ReactElement = h(
    WagmiProvider,
    { config, ...(initialState && { initialState }) },
    h(
      QueryClientProvider,
      { client: new QueryClient() },
      h(WalletKitProvider, { kit, children: [h(ConnectButton, { key: 1 }), h(Account, { key: 2 })] }),
    ),
  )
  return { app, kit }
}

function Account() {
  const { status, address } = useConnection()
  const { mutate: disconnect } = useDisconnect()
  return h('main', {}, [
    h('output', { key: 1 }, `${status} ${address ?? ''}`.trim()),
    h('button', { key: 2, type: 'button', onClick: () => disconnect({}) }, 'disconnect'),
  ])
}
