// On its own, to be loaded when another network is to be chosen.
import type { EIP1193Provider } from 'viem'
import { delay } from './abortable.ts'
import type { WalletKitChain } from './config.ts'
import { ChainError, readErrorCodes, toWalletKitError, type WalletKitError } from './errors.ts'
import { parseChainId } from './payloads.ts'
import { request, requestTimeout } from './request.ts'

/** How long a wallet that has agreed may take until it says the new chain. */
const arrivalTimeout = 5_000
const arrivalInterval = 250

/** Asks a wallet to go to a chain, to add it if need be, and waits until it is there. @throws {WalletKitError} */
export async function askForChain(
  provider: EIP1193Provider,
  chain: WalletKitChain,
  signal: AbortSignal,
): Promise<void> {
  try {
    await ask(provider, chain, signal)
  } catch (thrown) {
    throw toChainError(thrown)
  }
}

async function ask(provider: EIP1193Provider, chain: WalletKitChain, signal: AbortSignal): Promise<void> {
  const chainId = `0x${chain.id.toString(16)}`
  const askToSwitch = () => request(provider, { method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  try {
    await askToSwitch()
  } catch (thrown) {
    if (!isUnknownChain(thrown)) throw thrown
    await request(provider, { method: 'wallet_addEthereumChain', params: [describe(chain, chainId)] })
    if ((await readChain(provider)) !== chain.id) await askToSwitch()
  }
  // Wallets say yes early, and some say yes to what they do not do.
  const deadline = Date.now() + arrivalTimeout
  while (!signal.aborted && (await readChain(provider)) !== chain.id) {
    if (Date.now() >= deadline)
      throw new ChainError(`The wallet did not change to ${chain.name}. Choose the network in the wallet itself.`)
    await delay(arrivalInterval, signal)
  }
}

async function readChain(provider: EIP1193Provider): Promise<number | undefined> {
  return parseChainId(await request(provider, { method: 'eth_chainId' }, requestTimeout))
}

/** @see https://eips.ethereum.org/EIPS/eip-3085 */
function describe({ name, nativeCurrency, rpcUrls, blockExplorers }: WalletKitChain, chainId: string) {
  const explorer = blockExplorers?.default.url
  return {
    chainId,
    chainName: name,
    nativeCurrency,
    rpcUrls: rpcUrls.default.http,
    ...(explorer && { blockExplorerUrls: [explorer] }),
  }
}

/** 4902, also wrapped; and wallets that only say "internal error", with the reason in words. */
function isUnknownChain(thrown: unknown): boolean {
  const codes = readErrorCodes(thrown)
  const words = toWalletKitError(thrown).details ?? ''
  return (
    codes.includes(4902) ||
    (codes.includes(-32603) && /unrecognized chain|add(ing)? (the|this) chain|wallet_addEthereumChain/i.test(words))
  )
}

function toChainError(thrown: unknown): WalletKitError {
  const error = toWalletKitError(thrown)
  if (error.name !== 'WalletKitError') return error
  const isUnsupported = readErrorCodes(thrown).some((code) => code === 4200 || code === -32601)
  const message = isUnsupported
    ? 'The wallet cannot change networks for an app. Choose the network in the wallet itself.'
    : `The wallet did not change the network: ${error.shortMessage}`
  return new ChainError(message, {
    cause: thrown,
    ...(error.details && { details: error.details }),
    ...(isUnsupported && { reason: 'unsupported' }),
  })
}
