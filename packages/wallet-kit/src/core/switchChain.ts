import type { EIP1193Provider } from 'viem'
import { abortable, delay } from './abortable.ts'
import type { WalletKitChain } from './config.ts'
import { updateConnection } from './connection.ts'
import type { KitContext, LiveConnection } from './context.ts'
import {
  AbortedError,
  ChainError,
  ConfigurationError,
  readErrorCodes,
  toWalletKitError,
  type WalletKitError,
  WalletNotAvailableError,
} from './errors.ts'
import { parseChainId } from './payloads.ts'
import { request, requestTimeout } from './request.ts'
import type { Dialog } from './state.ts'

export type SwitchChainParameters = { chainId: number }

/** How long a wallet that has agreed may take until it says the new chain. */
const arrivalTimeout = 5_000
const arrivalInterval = 250

/** Brings the wallet to a chain, which is added to the wallet if need be. */
export async function switchChain(context: KitContext, { chainId }: SwitchChainParameters): Promise<void> {
  const { live, config } = context
  if (!live) throw new WalletNotAvailableError('Connect a wallet first.')
  const chain = config.chains.find(({ id }) => id === chainId)
  if (!chain) throw new ConfigurationError(`The chain ${chainId} is not among the chains of this app.`)

  const request = Symbol()
  context.switching = request
  const show = (change: Pick<Dialog & { name: 'network' }, 'switching' | 'error'>) => {
    const { dialog } = context.store.getState()
    if (context.switching !== request) return
    if (dialog.name === 'network') context.store.setState({ dialog: { name: 'network', ...change } })
    if (dialog.name === 'signIn' && dialog.step.name === 'wrongNetwork')
      context.store.setState({ dialog: { name: 'signIn', step: { name: 'wrongNetwork', ...change } } })
  }
  show({ switching: { chainId } })
  try {
    await arrive(context, live, chain)
    if (context.switching === request && context.store.getState().dialog.name === 'network')
      context.store.setState({ dialog: { name: 'none' } })
  } catch (thrown) {
    const error = toChainError(thrown)
    show({ error })
    throw error
  }
}

/** The wallet is there once it answers or reports the chain, whichever comes first: some never answer. */
function arrive(context: KitContext, live: LiveConnection, chain: WalletKitChain): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const stop = context.store.subscribe(({ chainId }) => {
      if (context.live !== live) end(() => reject(new AbortedError('The wallet was disconnected.')))
      else if (chainId === chain.id) end(resolve)
    })
    const end = (settle: () => void) => {
      stop()
      settle()
    }
    abortable(ask(live.provider, chain, context.signal), context.signal).then(
      () => {
        if (context.live === live) updateConnection(context, { chainId: chain.id })
        end(resolve)
      },
      (error) => end(() => reject(error)),
    )
  })
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
