import type { Address, EIP1193Provider } from 'viem'
import { parseAccounts, parseChainId } from '../provider/parsePayloads.ts'
import { requestProvider, requestTimeout } from '../provider/requestProvider.ts'
import { isReconnecting, watchProvider } from '../provider/watchProvider.ts'
import { type KitContext, signalWhile, update } from '../state/context.ts'
import { endConnection } from '../state/transitions.ts'
import { changeConnection } from './changeConnection.ts'

/** Follows the events of the connected wallet until the connection ends. */
export function watchConnection(context: KitContext, connectionId: number, provider: EIP1193Provider): void {
  const { signal } = signalWhile(context, (state) => state.connectionId === connectionId)
  const read = <T>(parameters: Omit<EventReaderParameters<T>, 'provider' | 'signal'>) =>
    createEventReader({ provider, signal, ...parameters })
  const accounts = read({
    method: 'eth_accounts',
    parse: parseAccounts,
    apply: ([account]: readonly Address[]) => {
      if (account) changeConnection(context, { address: context.checksum.current?.checksumAddress(account) ?? account })
      else update(context, endConnection)
    },
  })
  const chain = read({
    method: 'eth_chainId',
    parse: parseChainId,
    apply: (chainId: number) => changeConnection(context, { chainId }),
  })
  const stop = watchProvider(provider, {
    accountsChanged: accounts,
    chainChanged: chain,
    disconnect: (reason) => {
      if (isReconnecting(reason)) return accounts(undefined)
      context.storage.remove('connection')
      update(context, endConnection)
    },
  })
  // The wallet may have ended the connection synchronously, while listeners were added.
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop)
}

type EventReaderParameters<T> = {
  provider: EIP1193Provider
  signal: AbortSignal
  /** Method that requests the value if a payload cannot be parsed. */
  method: string
  parse: (payload: unknown) => T | undefined
  apply: (value: T) => void
}

/** Creates a listener for one kind of event. Drops answers that are older than the latest event. */
function createEventReader<T>({ provider, signal, method, parse, apply }: EventReaderParameters<T>) {
  let latest = 0
  return (payload: unknown) => {
    const event = ++latest
    const value = parse(payload)
    if (value !== undefined) return apply(value)
    requestProvider(provider, { method }, requestTimeout, signal).then(
      (answer) => {
        const value = parse(answer)
        if (value !== undefined && event === latest && !signal.aborted) apply(value)
      },
      () => {},
    )
  }
}
