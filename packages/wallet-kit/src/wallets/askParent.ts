import { AbortedError, WalletNotAvailableError } from '../core/errors.ts'
import { read } from '../core/read.ts'

export type AskParentParameters = {
  method: string
  params?: unknown
  /** Whom the question is sent to: an origin, or `*` as long as it holds nothing private. */
  targetOrigin: string
  /** Whose answers count. */
  isAllowed: (origin: string) => boolean
  /** Ends the question and everything that waits for its answer. */
  signal: AbortSignal
  /** Milliseconds. Without it a person may take as long as they like. */
  timeout?: number
}

export type ParentAnswer = { data: unknown; origin: string }

/**
 * Asks the page that frames this one, in the Safe Apps protocol. Only an answer of that very window, from an allowed
 * origin and to this very question counts; whatever else arrives is passed over.
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
    const onAbort = () => end(() => reject(new AbortedError('The Safe is asked no more.')))
    const onMessage = ({ source, origin, data }: MessageEvent<unknown>) => {
      if (source !== window.parent || !isAllowed(origin) || read(data, 'id') !== id) return
      const success = read(data, 'success')
      if (success === true) end(() => resolve({ data: read(data, 'data'), origin }))
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
  const error = read(data, 'error')
  return typeof error === 'string' && error.trim() ? error : 'The Safe answered with an error that says nothing.'
}
