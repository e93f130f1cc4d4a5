// A separate module, loaded when the person is about to switch networks.
import type { EIP1193Provider } from 'viem'
import { ChainError, readErrorCodes, readErrorTexts, toWalletKitError, type WalletKitError } from '../lib/errors.ts'
import { delay } from '../lib/promises.ts'
import { parseChainId } from '../lib/untrusted.ts'
import { requestProvider, requestTimeout } from '../provider/eip1193.ts'
import type { WalletKitChain } from '../state/config.ts'

/** Time limit in milliseconds for the wallet to report the new chain after it agreed to switch. */
const arrivalTimeout = 5_000
const arrivalInterval = 250

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
  const requestSwitch = () => requestProvider(provider, { method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  try {
    await requestSwitch()
  } catch (thrown) {
    if (!isUnknownChain(thrown)) throw thrown
    const params = [toAddChainParameters(chain, chainId)]
    await requestProvider(provider, { method: 'wallet_addEthereumChain', params })
    if ((await readChain(provider)) !== chain.id) await requestSwitch()
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

/** Checks for 4902, also wrapped, and for -32603 (internal error) with a message that names the reason. */
function isUnknownChain(thrown: unknown): boolean {
  const codes = readErrorCodes(thrown)
  return (
    codes.includes(4902) ||
    (codes.includes(-32603) &&
      /unrecognized chain|add(ing)? (the|this) chain|wallet_addEthereumChain/i.test(readErrorTexts(thrown).join()))
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
