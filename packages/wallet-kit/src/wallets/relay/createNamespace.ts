import type { RelayNamespace } from './loadRelayClient.ts'

/**
 * Creates the requested namespace: chains, methods and events. @see
 * https://specs.walletconnect.com/2.0/specs/clients/sign/namespaces
 */
export const createNamespace = (chainIds: readonly number[]): RelayNamespace => ({
  chains: chainIds.map((id) => `eip155:${id}`),
  methods: [
    'eth_sendTransaction',
    'personal_sign',
    'eth_signTypedData',
    'eth_signTypedData_v4',
    'eth_signTransaction',
    'eth_sign',
    'wallet_switchEthereumChain',
    'wallet_addEthereumChain',
    'wallet_watchAsset',
    'wallet_getCapabilities',
    'wallet_sendCalls',
    'wallet_getCallsStatus',
  ],
  events: ['accountsChanged', 'chainChanged'],
})
