// @vitest-environment node
import { expect, test } from 'vitest'

// Runs in Node, where an entry that uses `window` during import fails.
test('the public names of each entry, which a server can import', async () => {
  expect(typeof window).toBe('undefined')
  const names = async (entry: Promise<object>) => Object.keys(await entry).sort()
  expect(await names(import('./core.ts'))).toMatchInlineSnapshot(`
    [
      "AbortedError",
      "ChainError",
      "ConfigurationError",
      "RelayUnreachableError",
      "RequestPendingError",
      "SignInError",
      "UserRejectedError",
      "WalletKitError",
      "WalletNotAvailableError",
      "createWalletKit",
      "formatAddress",
      "formatBalance",
      "formatName",
      "signInSteps",
      "steps",
      "toWalletKitError",
    ]
  `)
  expect(await names(import('./wallets.ts'))).toMatchInlineSnapshot(`
    [
      "baseAccount",
      "binance",
      "bitget",
      "coinbase",
      "defaultWallets",
      "imToken",
      "injected",
      "metaMask",
      "okx",
      "rabby",
      "rainbow",
      "safe",
      "safePal",
      "tokenPocket",
      "trust",
      "walletConnect",
    ]
  `)
  expect(await names(import('./siwe.ts'))).toMatchInlineSnapshot(`
    [
      "siweAuthentication",
    ]
  `)
  expect(await names(import('./siwe-server.ts'))).toMatchInlineSnapshot(`
    [
      "createSiweServer",
      "createTokenBuckets",
      "memorySiweStore",
      "readJson",
      "readText",
    ]
  `)
  expect(await names(import('./hooks.ts'))).toMatchInlineSnapshot(`
    [
      "useBalanceOf",
      "useCapabilities",
      "useReadContract",
      "useSendCalls",
      "useSendTransaction",
      "useSignMessage",
      "useSignTypedData",
      "useTransactionReceipt",
      "useTransactionStatus",
      "useWriteContract",
    ]
  `)
  expect(await names(import('./wagmi.ts'))).toMatchInlineSnapshot(`
    [
      "kitConnector",
    ]
  `)
  expect(await names(import('./testing.ts'))).toMatchInlineSnapshot(`
    [
      "announceWallet",
      "createScriptedWallet",
      "memoryStorage",
    ]
  `)
  expect(await names(import('./index.ts'))).toMatchInlineSnapshot(`
    [
      "ConnectButton",
      "Identicon",
      "WalletKitProvider",
      "createWalletKitTheme",
      "useAccountDialog",
      "useAddTransaction",
      "useBalance",
      "useConnectDialog",
      "useConnection",
      "useName",
      "useNetworkDialog",
      "useRecentTransactions",
      "useSignIn",
      "useWalletKit",
      "useWalletKitState",
    ]
  `)
})
