import type { Address } from 'viem'
import { AbortedError, WalletKitError } from '../lib/errors.ts'
import { abortable, withDeadline } from '../lib/promises.ts'
import { readText } from '../lib/readText.ts'
import { isRecord, parseAvatar, readProperty } from '../lib/untrusted.ts'
import type { Clients } from '../provider/clients.ts'
import { requestTimeout } from '../provider/eip1193.ts'
import type { NamesConfig, WalletKitConfig } from '../state/config.ts'
import type { AccountName } from '../state/state.ts'
import { findBnbName, parseName } from './bnbNames.ts'

const maxAnswerBytes = 64_000

type ResolveNameParameters = {
  config: WalletKitConfig
  clients: Clients
  address: Address
  signal: AbortSignal
  /** Without a wallet, only the app's own source is asked: the others would learn what visitors look at. */
  isConnected: () => boolean
}

/**
 * Returns the name of the first source that has one, with the first picture. Rejects if no source has a name and one
 * failed.
 */
export async function resolveName({
  config,
  clients,
  address,
  signal,
  isConnected,
}: ResolveNameParameters): Promise<AccountName> {
  const { names = {} } = config
  const { resolve } = names
  const own =
    resolve && (async (signal: AbortSignal) => parseResolved(await abortable(resolve({ address, signal }), signal)))
  const sources = [
    ...(own ? [own] : []),
    ...(names.baseUrl === undefined ? [] : [(signal: AbortSignal) => fetchName(names, address, signal)]),
    ...(names.bnb ? [(signal: AbortSignal) => abortable(findBnbName(clients.getClient(56), address), signal)] : []),
  ]
  let failure: WalletKitError | undefined
  let picture: AccountName = {}
  for (const source of sources) {
    if (source !== own && !isConnected()) break
    try {
      const found = await withDeadline(source, requestTimeout, signal)
      if (found.name) return { ...picture, ...found }
      picture = { ...found, ...picture }
    } catch (thrown) {
      if (signal.aborted) throw new AbortedError('The connection ended before the name was found.')
      failure ??= new WalletKitError('There was an error with the request.', { cause: thrown })
    }
  }
  if (failure) throw failure
  return picture
}

/** Parses the answer of the app's own source. */
function parseResolved(answer: unknown): AccountName {
  const name = parseName(readProperty(answer, 'name'))
  const avatar = parseAvatar(readProperty(answer, 'avatar'))
  return { ...(name && { name }), ...(avatar && { avatar }) }
}

/** Asks the name service of the configuration. */
async function fetchName(
  { baseUrl = '', apiKey, header = 'x-api-key' }: NamesConfig,
  address: Address,
  signal: AbortSignal,
): Promise<AccountName> {
  const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/v1/resolve-ens?address=${address}`, {
    headers: { accept: 'application/json', ...(apiKey !== undefined && { [header]: apiKey }) },
    credentials: 'omit',
    // A redirect must not send the key to another server.
    redirect: 'error',
    signal,
  })
  if (!response.ok) throw new Error(`The name service answered ${response.status}.`)
  const text = await readText(response, maxAnswerBytes)
  if (text === undefined) throw new Error(`The name service answered with more than ${maxAnswerBytes} bytes.`)
  const body: unknown = JSON.parse(text)
  if (!isRecord(body)) throw new Error('The name service did not answer with a JSON object.')
  // Some servers wrap the body once more.
  const answer = isRecord(body.data) ? body.data : body
  const name = parseName(answer.data)
  const avatar = name && parseAvatar(answer.avatar)
  return { ...(name && { name }), ...(avatar && { avatar }) }
}
