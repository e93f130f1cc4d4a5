// A separate module, loaded when the person is about to switch networks.
import type { EIP1193Provider } from 'viem'
import { ChainError, toWalletKitError, WalletKitError } from '../lib/errors.ts'
import { delay } from '../lib/promises.ts'
import { parseChainId } from '../lib/untrusted.ts'
import { requestProvider, requestTimeout } from '../provider/eip1193.ts'
import { isUnsupportedMethod } from '../provider/requestForViem.ts'
import type { WalletKitChain } from '../state/config.ts'

/** Time limit in milliseconds for the wallet to report the new chain after it agreed to switch. */
const arrivalTimeout = 5_000
const arrivalInterval = 250

const switchMethod = 'wallet_switchEthereumChain'
const addMethod = 'wallet_addEthereumChain'

/**
 * Switches a wallet to a chain, adds the chain if the wallet lacks it, and waits until the wallet reports it.
 *
 * @throws {WalletKitError}
 */
export async function requestChain(
  provider: EIP1193Provider,
  chain: WalletKitChain,
  signal: AbortSignal,
): Promise<void> {
  try {
    await switchOrAdd(provider, chain)
    await waitForArrival(provider, chain, signal)
  } catch (thrown) {
    throw toChainError(thrown)
  }
}

async function switchOrAdd(provider: EIP1193Provider, chain: WalletKitChain): Promise<void> {
  const chainId = `0x${chain.id.toString(16)}`
  const requestSwitch = () => requestProvider(provider, { method: switchMethod, params: [{ chainId }] })
  try {
    await requestSwitch()
  } catch (thrown) {
    if (!mayLackChain(thrown)) throw thrown
    await addChain(provider, toAddChainParameters(chain, chainId), thrown)
    if ((await readChain(provider)) !== chain.id) await requestSwitch()
  }
}

/** Adds a chain. Rejects with `switchError` if the wallet adds no chains. */
async function addChain(provider: EIP1193Provider, parameters: object, switchError: unknown): Promise<void> {
  try {
    await requestProvider(provider, { method: addMethod, params: [parameters] })
  } catch (thrown) {
    throw isUnsupportedMethod(thrown, addMethod) ? switchError : thrown
  }
}

/** Waits until the wallet is on the chain: wallets agree before they have switched, and some agree but never switch. */
async function waitForArrival(provider: EIP1193Provider, chain: WalletKitChain, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + arrivalTimeout
  while (!signal.aborted && (await readChain(provider)) !== chain.id) {
    if (Date.now() >= deadline)
      throw new ChainError(`The wallet did not change to ${chain.name}. Choose the network in the wallet itself.`)
    await delay(arrivalInterval, signal)
  }
}

async function readChain(provider: EIP1193Provider): Promise<number | undefined> {
  return parseChainId(await requestProvider(provider, { method: 'eth_chainId' }, requestTimeout))
}

/** Returns the parameters of `wallet_addEthereumChain`. @see https://eips.ethereum.org/EIPS/eip-3085 */
function toAddChainParameters({ name, nativeCurrency, rpcUrls, blockExplorers }: WalletKitChain, chainId: string) {
  const explorer = blockExplorers?.default.url
  return {
    chainId,
    chainName: name,
    nativeCurrency,
    rpcUrls: rpcUrls.default.http,
    ...(explorer && { blockExplorerUrls: [explorer] }),
  }
}

/**
 * Returns whether a wallet that did not switch may lack the chain. Wallets report that by various codes and in any
 * language, so that every error counts that says nothing else.
 */
function mayLackChain(thrown: unknown): boolean {
  if (thrown instanceof WalletKitError || isUnsupportedMethod(thrown, switchMethod)) return false
  const error = toWalletKitError(thrown)
  const isUnauthorized = error.name === 'WalletNotAvailableError' && error.reason === 'unauthorized'
  return !isUnauthorized && error.name !== 'UserRejectedError' && error.name !== 'RequestPendingError'
}

function toChainError(thrown: unknown): WalletKitError {
  const error = toWalletKitError(thrown)
  if (error.name !== 'WalletKitError') return error
  const cannotSwitch = isUnsupportedMethod(thrown, switchMethod)
  const message = cannotSwitch
    ? 'The wallet cannot change networks for an app. Choose the network in the wallet itself.'
    : `The wallet did not change the network: ${error.shortMessage}`
  return new ChainError(message, {
    cause: thrown,
    ...(error.details && { details: error.details }),
    ...(cannotSwitch && { reason: 'unsupported' }),
  })
}
