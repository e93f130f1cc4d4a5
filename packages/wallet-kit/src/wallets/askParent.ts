import { AbortedError, WalletNotAvailableError } from '../core/lib/errors.ts'
import { readProperty } from '../core/lib/untrusted.ts'

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
export function askParent(parameters: AskParentParameters): Promise<ParentAnswer> {
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
          end(() => reject(new WalletNotAvailableError('The Safe does not answer. Reload its page and try again.'))),
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
