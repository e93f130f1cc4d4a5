import { AbortedError, ConfigurationError, toWalletKitError, WalletNotAvailableError } from '../lib/errors.ts'
import { abortable } from '../lib/promises.ts'
import type { WalletKitChain } from '../state/config.ts'
import { type KitContext, signalWhile, update } from '../state/context.ts'
import type { EstablishedState } from '../state/state.ts'
import { endSwitch, isEstablished, startSwitch } from '../state/transitions.ts'
import { changeChain } from './connect.ts'

export type SwitchChainParameters<chainId extends number = number> = { chainId: chainId }

/** Switches the wallet to a chain of the configuration. */
export async function switchChain(context: KitContext, { chainId }: SwitchChainParameters): Promise<void> {
  const state = context.store.getState()
  if (!isEstablished(state)) throw new WalletNotAvailableError('Connect a wallet first.')
  const chain = context.config.chains.find(({ id }) => id === chainId)
  if (!chain) throw new ConfigurationError(`The chain ${chainId} is not among the chains of this app.`)

  // Compared by identity, so that a later request replaces this one.
  const request = { chainId }
  update(context, (state) => startSwitch(state, request))
  try {
    await waitForChain(context, state, chain)
    update(context, (state) => endSwitch(state, request, 'done'))
  } catch (thrown) {
    const error = toWalletKitError(thrown)
    update(context, (state) => endSwitch(state, request, error))
    throw error
  }
}

/** Resolves once the wallet answers or reports the chain, whichever comes first: some wallets never answer. */
async function waitForChain(
  context: KitContext,
  { connectionId, provider }: EstablishedState,
  chain: WalletKitChain,
): Promise<void> {
  const isConnected = () => context.store.getState().connectionId === connectionId
  const before = context.store.getState()
  const { signal, release } = signalWhile(
    context,
    (state) => state === before || (state.connectionId === connectionId && state.chainId !== chain.id),
  )
  const request = context.chainRequest.load().then(async ({ requestChain }) => {
    await requestChain(provider, chain, context.signal)
    if (isConnected()) changeChain(context, chain.id)
  })
  try {
    await abortable(request, signal)
  } catch (thrown) {
    if (!signal.aborted) throw thrown
  } finally {
    release()
  }
  if (context.signal.aborted || !isConnected()) throw new AbortedError('The wallet was disconnected.')
}
