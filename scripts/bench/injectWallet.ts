/**
 * Announces a wallet like an extension (EIP-6963). It approves at once and remembers that. It does little else, so
 * that it does not disturb the measurement. It forwards reads to the node, marked `?via=wallet`. It is inserted into
 * the page as text.
 */
export function injectWallet(rpcUrl: string): void {
  if (window.top !== window) return
  const account = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
  const isGranted = () => localStorage.getItem('bench-wallet') === 'granted'
  const grant = () => localStorage.setItem('bench-wallet', 'granted')

  const answers: Record<string, () => unknown> = {
    eth_chainId: () => '0x38',
    net_version: () => '56',
    eth_accounts: () => (isGranted() ? [account] : []),
    eth_requestAccounts: () => {
      grant()
      return [account]
    },
    // wagmi asks for permissions.
    wallet_requestPermissions: () => {
      grant()
      return [{ parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value: [account] }] }]
    },
    wallet_switchEthereumChain: () => null,
  }
  const passOn = async (method: string, params: unknown) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${rpcUrl}?via=wallet`, { method: 'POST', headers, body })
    return (await answer.json()).result
  }
  const provider = {
    isMetaMask: true,
    on: () => {},
    removeListener: () => {},
    request: async ({ method, params = [] }: { method: string; params?: unknown }) =>
      answers[method] ? answers[method]() : passOn(method, params),
  }
  const icon =
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><path fill='%23f6851b' d='M0 0h32v32H0z'/></svg>"
  const info = { uuid: '350670db-19fa-4704-a166-e52e178b59d2', name: 'MetaMask', rdns: 'io.metamask', icon }
  const detail = Object.freeze({ info: Object.freeze(info), provider })
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
}
