import { dropConnection, updateConnection } from './connection.ts'
import type { KitContext, LiveConnection } from './context.ts'
import { follow } from './follow.ts'
import { parseAccounts, parseChainId } from './payloads.ts'
import { read } from './read.ts'
import { request, requestTimeout } from './request.ts'

/** Follows the wallet for as long as it is connected. Odd payloads are no answer: the wallet is asked instead. */
export function followConnection(context: KitContext, live: LiveConnection): () => void {
  const setAccounts = ([account]: ReturnType<typeof parseAccounts> & object) => {
    if (account) updateConnection(context, { address: live.checksumAddress(account) })
    else dropConnection(context)
  }
  const whileLive = (hear: (payload: unknown) => void) => (payload: unknown) => {
    if (context.live === live) hear(payload)
  }
  const accounts = createReading(context, live, 'eth_accounts', parseAccounts, setAccounts)
  const chain = createReading(context, live, 'eth_chainId', parseChainId, (chainId) =>
    updateConnection(context, { chainId }),
  )

  return follow(live.provider, {
    accountsChanged: whileLive(accounts.tell),
    chainChanged: whileLive(chain.tell),
    disconnect: whileLive((reason) => {
      // With 1013 a wallet says that it lost its node and will be back by itself.
      // https://github.com/MetaMask/providers/blob/main/src/BaseProvider.ts
      if (read(reason, 'code') === 1013) return accounts.tell(undefined)
      context.storage.remove('connection')
      dropConnection(context)
    }),
  })
}

/** One thing a wallet tells, or is asked for. An answer older than the latest news counts for nothing. */
function createReading<T>(
  context: KitContext,
  live: LiveConnection,
  method: string,
  parse: (payload: unknown) => T | undefined,
  apply: (value: T) => void,
) {
  let latest = 0
  return {
    tell: (payload: unknown) => {
      const asked = ++latest
      const value = parse(payload)
      if (value !== undefined) return apply(value)
      request(live.provider, { method }, requestTimeout, context.signal).then(
        (answer) => {
          const value = parse(answer)
          if (value !== undefined && asked === latest && context.live === live) apply(value)
        },
        () => {},
      )
    },
  }
}
