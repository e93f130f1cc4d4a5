import { type Address, getAddress, isAddress, isAddressEqual, numberToHex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Answer, Ask, Question } from './questionContent.ts'
import { chainName, type DemoChainId, nodeChainId, ProviderRpcError, toAddress, toDemoChainId } from './readRequest.ts'

type Listener = (value: never) => void

export type DemoSession = ReturnType<typeof createSession>

/** Creates the wallet's state for this site: its permission, the events of the provider, and the queue of questions. */
export function createSession(signers: readonly PrivateKeyAccount[], ask: Ask) {
  const accounts = signers.map((signer) => signer.address)
  const listeners = new Map<string, Set<Listener>>()
  let state = readState(accounts)
  let queue: Promise<unknown> = Promise.resolve()

  const permitted = (): readonly Address[] => (state.permission === 'granted' ? [state.account] : [])

  function emit(event: 'connect' | 'accountsChanged' | 'chainChanged', value: unknown): void {
    for (const listener of [...(listeners.get(event) ?? [])]) {
      try {
        listener(value as never)
      } catch (error) {
        // An error in one listener must not stop the others.
        reportError(error)
      }
    }
  }

  return {
    accounts,
    getState: () => state,
    permitted,
    update(next: Partial<DemoWalletState>): void {
      const [accountsBefore, before] = [permitted().join(), state]
      state = { ...state, ...next }
      writeState(state)
      if (permitted().join() !== accountsBefore) emit('accountsChanged', [...permitted()])
      if (state.chainId !== before.chainId) emit('chainChanged', numberToHex(state.chainId))
      if (before.permission === 'none' && next.permission === 'granted')
        emit('connect', { chainId: numberToHex(state.chainId) })
    },
    on: (event: string, listener: Listener) => listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
    removeListener: (event: string, listener: Listener) => listeners.get(event)?.delete(listener),

    /** Runs `work` after the earlier calls, so that only one question is open at a time. */
    enqueue<value>(work: () => Promise<value>): Promise<value> {
      const result = queue.then(work)
      queue = result.catch(() => {})
      return result
    },
    /** @throws {ProviderRpcError} 4001 when the owner rejects */
    async approve(question: Question): Promise<Extract<Answer, { kind: 'approved' }>> {
      const answer = await ask(question)
      if (answer.kind === 'approved') return answer
      throw new ProviderRpcError('userRejected', 'The request was rejected in the wallet.')
    },
    /** Returns the signer of an account this site may use. */
    signerOf(value: unknown): PrivateKeyAccount {
      const address = toAddress(value)
      const signer = signers.find((each) => address && isAddressEqual(each.address, address))
      if (signer && permitted().includes(signer.address)) return signer
      throw new ProviderRpcError('unauthorized', 'The site has no permission for this account.')
    },
    /** @throws {ProviderRpcError} 4901 on the chain without a node */
    assertNode(): void {
      if (state.chainId === nodeChainId) return
      const message = `${chainName(state.chainId)} has no node in this demo. Switch to ${chainName(nodeChainId)}.`
      throw new ProviderRpcError('chainDisconnected', message)
    },
  }
}

/** The demo wallet's stored state. Storage is per origin, and so is the permission. */
export type DemoWalletState = {
  /** The selected account. */
  account: Address
  chainId: DemoChainId
  /** `granted`: this site may see the account. */
  permission: 'granted' | 'none'
}

const storageKey = 'lineage-demo-wallet'

/** Reads the stored state; invalid or missing parts get defaults. */
function readState(accounts: readonly Address[]): DemoWalletState {
  const fallback: DemoWalletState = { account: accounts[0] as Address, chainId: nodeChainId, permission: 'none' }
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return fallback
    const { account, chainId, permission } = stored as Record<string, unknown>
    const known = typeof account === 'string' && isAddress(account, { strict: false }) ? getAddress(account) : undefined
    // The permission belongs to that account only.
    if (!known || !accounts.includes(known)) return fallback
    return {
      account: known,
      chainId: toDemoChainId(chainId) ?? nodeChainId,
      permission: permission === 'granted' ? 'granted' : 'none',
    }
  } catch {
    return fallback
  }
}

function writeState(state: DemoWalletState): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(state))
  } catch {
    // Storage is forbidden or full: the state lasts until the page closes.
  }
}
