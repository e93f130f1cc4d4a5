import type { Address } from 'viem'
import { abortable } from './abortable.ts'
import { findBnbName } from './bnbNames.ts'
import type { Clients } from './clients.ts'
import type { NamesConfig, WalletKitConfig } from './config.ts'
import { AbortedError, WalletKitError } from './errors.ts'
import { toAvatar } from './foreign.ts'
import { requestTimeout } from './request.ts'
import type { AccountName } from './state.ts'
import { isRecord } from './storage.ts'
import { toName } from './toName.ts'

const maxAnswerBytes = 64_000

type ResolveNameParameters = { config: WalletKitConfig; clients: Clients; address: Address; signal: AbortSignal }

/** The name by the first source that knows one; rejects when none does and a source could not be asked. */
export async function resolveName({ config, clients, address, signal }: ResolveNameParameters): Promise<AccountName> {
  const { names = {} } = config
  const sources = [
    ...(names.baseUrl === undefined ? [] : [(limit: AbortSignal) => askService(names, address, limit)]),
    ...(names.bnb ? [(limit: AbortSignal) => abortable(findBnbName(clients.getClient(56), address), limit)] : []),
  ]
  let failure: WalletKitError | undefined
  for (const ask of sources) {
    try {
      const found = await within(requestTimeout, signal, ask)
      if (found.name) return found
    } catch (thrown) {
      if (signal.aborted) throw new AbortedError('The connection ended before the name was found.')
      failure ??= new WalletKitError('There was an error with the request.', { cause: thrown })
    }
  }
  if (failure) throw failure
  return {}
}

async function within<T>(
  milliseconds: number,
  signal: AbortSignal,
  ask: (limit: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, milliseconds)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  try {
    return await ask(controller.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

async function askService(
  { baseUrl = '', apiKey, header = 'x-api-key' }: NamesConfig,
  address: Address,
  signal: AbortSignal,
): Promise<AccountName> {
  const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/v1/resolve-ens?address=${address}`, {
    headers: { accept: 'application/json', ...(apiKey !== undefined && { [header]: apiKey }) },
    credentials: 'omit',
    // The key is for this service, and for no other that it might point to.
    redirect: 'error',
    signal,
  })
  if (!response.ok) throw new Error(`The name service answered ${response.status}.`)
  const body: unknown = JSON.parse(await readText(response))
  if (!isRecord(body)) throw new Error('The name service answered with something else than an object.')
  // Clients that wrap the answer read it as data.data.
  const answer = isRecord(body.data) ? body.data : body
  const name = toName(answer.data)
  const avatar = name && toAvatar(answer.avatar)
  return { ...(name && { name }), ...(avatar && { avatar }) }
}

/** The whole of an answer that is not larger than a name needs. */
async function readText({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (;;) {
    const part = await reader?.read()
    if (!part?.value) return text + decoder.decode()
    size += part.value.byteLength
    if (size > maxAnswerBytes) {
      await reader?.cancel()
      throw new Error(`The name service answered with more than ${maxAnswerBytes} bytes.`)
    }
    text += decoder.decode(part.value, { stream: true })
  }
}
