import { type KitContext, update } from '../state/context.ts'
import type { Connection } from '../state/state.ts'
import { changeAccount, isEstablished } from '../state/transitions.ts'

/** Changes the account or chain of the connection. */
export function changeConnection(
  { store, config, transactions }: KitContext,
  change: Partial<Pick<Connection, 'address' | 'chainId'>>,
): void {
  update({ store }, (state) => {
    if (!isEstablished(state)) return state
    const account = { address: state.address, chainId: state.chainId, ...change }
    return changeAccount(state, { ...account, ...transactions.read(account) }, config, Date.now())
  })
}
