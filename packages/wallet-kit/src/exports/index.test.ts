// @vitest-environment node
import { readFileSync } from 'node:fs'
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
      "toWalletKitError",
    ]
  `)
  expect(await names(import('./wallets.ts'))).toMatchInlineSnapshot(`
    [
      "ambireWallet",
      "anchorageDigitalWallet",
      "backpackWallet",
      "baseAccount",
      "baseAccountConnector",
      "berasigWallet",
      "bestWallet",
      "bifrostWallet",
      "binanceWallet",
      "bitgetWallet",
      "bitpieWallet",
      "bitverseWallet",
      "bloomWallet",
      "braveWallet",
      "bybitWallet",
      "coin98Wallet",
      "coinbaseConnector",
      "coinbaseWallet",
      "coreWallet",
      "cryptoComWallet",
      "ctrlWallet",
      "defaultWallets",
      "enkryptWallet",
      "exodusWallet",
      "fireblocksWallet",
      "foxWallet",
      "frameWallet",
      "frontierWallet",
      "gateWallet",
      "hyperPayWallet",
      "imTokenWallet",
      "injectedConnector",
      "iopayWallet",
      "kaiaWallet",
      "keplrWallet",
      "krakenWallet",
      "kresusWallet",
      "kuCoinWallet",
      "ledgerWallet",
      "magicEdenWallet",
      "mathWallet",
      "mecoWallet",
      "metaMaskWallet",
      "mewWallet",
      "nestWallet",
      "novaWallet",
      "oktoWallet",
      "okxWallet",
      "oneInchWallet",
      "oneKeyWallet",
      "ontoWallet",
      "phantomWallet",
      "portoWallet",
      "rabbyWallet",
      "rainbowWallet",
      "readyWallet",
      "robinhoodWallet",
      "roninWallet",
      "safeConnector",
      "safeWallet",
      "safeheronWallet",
      "safepalWallet",
      "statusWallet",
      "subWallet",
      "tahoWallet",
      "talismanWallet",
      "tangemWallet",
      "tokenPocketWallet",
      "trezorWallet",
      "trustWallet",
      "uniswapWallet",
      "universalProfilesWallet",
      "valoraWallet",
      "walletConnectConnector",
      "walletConnectRegistry",
      "walletConnectWallet",
      "wigwamWallet",
      "xPortalWallet",
      "zealWallet",
      "zengoWallet",
      "zerionWallet",
      "zilPayWallet",
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
      "useBalance",
      "useCapabilities",
      "useDisconnect",
      "useReadContract",
      "useSendCalls",
      "useSendTransaction",
      "useSignMessage",
      "useSignTypedData",
      "useSwitchChain",
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
      "autoTheme",
      "closeOnBack",
      "createWalletKitTheme",
      "darkTheme",
      "lightTheme",
      "neutralTheme",
      "useAccountDialog",
      "useAddTransaction",
      "useCloseOnBack",
      "useConnectDialog",
      "useName",
      "useNetworkDialog",
      "useRecentTransactions",
      "useSignIn",
      "useWalletConnection",
      "useWalletKit",
      "useWalletKitState",
    ]
  `)
})

test('no name of the main entry is one of wagmi’s', async () => {
  const ofWagmi = Object.keys(await import('wagmi'))
  expect(ofWagmi).toContain('useConnection')
  expect(Object.keys(await import('./index.ts')).filter((name) => ofWagmi.includes(name))).toEqual([])
})

test.each(['index', 'hooks'])('every hook of %s has exported types for what it takes and returns', (entry) => {
  const types = readFileSync(new URL(`../../test/api/${entry}.txt`, import.meta.url), 'utf8')
  const hooks = [...types.matchAll(/^declare function use(\w+)[^(]*\((.*)\): (.*);$/gm)]
  expect(hooks.length).toBeGreaterThan(8)
  for (const [, name = '', taken = '', returned] of hooks) {
    const names = [
      ...(taken.includes('{') ? [`Use${name}Parameters`] : []),
      // `useWalletKitState` returns the type that its selector returns.
      ...(returned === 'void' || name === 'WalletKitState' ? [] : [`Use${name}ReturnType`]),
    ]
    for (const type of names) expect(types, type).toContain(`// ${type}\n`)
    for (const type of names) expect(`${taken} ${returned}`, type).toContain(type)
  }
})
