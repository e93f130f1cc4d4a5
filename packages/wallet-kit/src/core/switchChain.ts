import { abortable } from './abortable.ts'
import type { WalletKitChain } from './config.ts'
import { updateConnection } from './connection.ts'
import type { KitContext, LiveConnection } from './context.ts'
import { AbortedError, ConfigurationError, toWalletKitError, WalletNotAvailableError } from './errors.ts'
import type { Dialog } from './state.ts'

export type SwitchChainParameters = { chainId: number }

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
    const error = toWalletKitError(thrown)
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
    const asked = context.loadAskForChain().then((it) => it.askForChain(live.provider, chain, context.signal))
    abortable(asked, context.signal).then(
      () => {
        if (context.live === live) updateConnection(context, { chainId: chain.id })
        end(resolve)
      },
      (error) => end(() => reject(error)),
    )
  })
}
