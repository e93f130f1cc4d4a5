import type { Hash } from 'viem'
import { AbortedError, WalletNotAvailableError } from '../core/lib/errors.ts'
import { isHash, parseAccounts, parseChainId, readProperty } from '../core/lib/untrusted.ts'
import { requestTimeout } from '../core/provider/eip1193.ts'
import type { Connector, ConnectorConnection, WalletTransaction } from '../core/wallets/wallet.ts'
import { type AskSafe, createSafeProvider } from './createSafeProvider.ts'

export type OpenSafe = ConnectorConnection & { readTransaction: NonNullable<Connector['readTransaction']> }

/** Milliseconds to wait for an answer, because a page that is not a Safe never answers. */
const greetingTimeout = 3_000

/** Connects to the Safe that frames this page. Later requests go only to the origin that answered. */
export async function openSafe(isAllowed: (origin: string) => boolean, signal: AbortSignal): Promise<OpenSafe> {
  const { data, origin } = await askParent({
    method: 'getSafeInfo',
    targetOrigin: '*',
    isAllowed,
    signal,
    timeout: greetingTimeout,
  })
  const accounts = parseAccounts([readProperty(data, 'safeAddress')])
  const chainId = parseChainId(readProperty(data, 'chainId'))
  if (!accounts?.[0] || chainId === undefined)
    throw new WalletNotAvailableError('The page that embeds this one is not a Safe.', { reason: 'notReachable' })
  const ask: AskSafe = async (method, params, timeout) => {
    const isSame = (it: string) => it === origin
    const question = { method, params, targetOrigin: origin, isAllowed: isSame, signal, ...(timeout && { timeout }) }
    return (await askParent(question)).data
  }
  const provider = createSafeProvider({ address: accounts[0], chainId, ask })
  return { provider, accounts, chainId, readTransaction: (hash) => readSafeTransaction(ask, hash) }
}

const statuses = {
  AWAITING_CONFIRMATIONS: 'awaitingOwners',
  AWAITING_EXECUTION: 'awaitingExecution',
  CANCELLED: 'cancelled',
  FAILED: 'failed',
  SUCCESS: 'executed',
} as const satisfies Record<string, WalletTransaction['status']>

/**
 * Returns the status of a Safe transaction. Returns `undefined` if the Safe does not know the hash, reports no known
 * status, or does not answer.
 *
 * @see https://github.com/safe-global/safe-apps-sdk/blob/main/packages/safe-apps-sdk/src/types/gateway.ts
 */
async function readSafeTransaction(ask: AskSafe, safeTxHash: Hash): Promise<WalletTransaction | undefined> {
  const details = await ask('getTxBySafeTxHash', { safeTxHash }, requestTimeout).catch(() => undefined)
  const given = readProperty(details, 'txStatus')
  const status = Object.entries(statuses).find(([name]) => name === given)?.[1]
  const txHash = readProperty(details, 'txHash')
  return status && { status, ...(isHash(txHash) && { hash: txHash }) }
}

type AskParentParameters = {
  method: string
  params?: unknown
  /** Origin of the receiver; `*` only for requests without private data. */
  targetOrigin: string
  /** Checks whether an answer from this origin is accepted. */
  isAllowed: (origin: string) => boolean
  /** Cancels the request. */
  signal: AbortSignal
  /** Time limit in milliseconds. Omit it if a person has to answer. */
  timeout?: number
}

type ParentAnswer = { data: unknown; origin: string }

/**
 * Sends a request of the Safe Apps protocol to the page that frames this one. Accepts only an answer to this request,
 * from that window and an allowed origin.
 *
 * @see https://github.com/safe-global/safe-apps-sdk/tree/main/packages/safe-apps-sdk/src/communication
 */
function askParent(parameters: AskParentParameters): Promise<ParentAnswer> {
  const { method, params, targetOrigin, isAllowed, signal, timeout } = parameters
  const id = Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = (settle: () => void) => {
      clearTimeout(timer)
      window.removeEventListener('message', onMessage)
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    const onAbort = () => end(() => reject(new AbortedError('Request cancelled.')))
    const onMessage = ({ source, origin, data }: MessageEvent<unknown>) => {
      if (source !== window.parent || !isAllowed(origin) || readProperty(data, 'id') !== id) return
      const success = readProperty(data, 'success')
      if (success === true) end(() => resolve({ data: readProperty(data, 'data'), origin }))
      else if (success === false) end(() => reject(new Error(readReason(data))))
    }
    if (signal.aborted) return onAbort()
    window.addEventListener('message', onMessage)
    signal.addEventListener('abort', onAbort)
    if (timeout !== undefined)
      timer = setTimeout(
        () =>
          end(() =>
            reject(
              new WalletNotAvailableError('The Safe does not answer. Reload its page and try again.', {
                reason: 'noAnswer',
              }),
            ),
          ),
        timeout,
      )
    try {
      window.parent.postMessage({ id, method, params, env: { sdkVersion: '9.1.0' } }, targetOrigin)
    } catch (thrown) {
      end(() => reject(thrown))
    }
  })
}

function readReason(data: unknown): string {
  const error = readProperty(data, 'error')
  return typeof error === 'string' && error.trim() ? error : 'The Safe returned an unknown error.'
}
