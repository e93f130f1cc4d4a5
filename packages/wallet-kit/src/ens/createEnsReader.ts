// A separate module, loaded with the first lookup.
import { type Address, type CcipRequestParameters, ccipRequest, createClient, http, type Transport } from 'viem'
import { getEnsName, getEnsText } from 'viem/actions'
import { mainnet } from 'viem/chains'
import { orUndefined, parseName } from '../core/names/bnbNames.ts'
import type { ResolvedName } from '../core/state/config.ts'

export type EnsNamesOptions = {
  /** The URL of an Ethereum node, or a transport of viem. Default: viem's public node. */
  transport?: string | Transport | undefined
  /**
   * Follows names whose records are on other servers (CCIP-Read, EIP-3668), such as `name.cb.id`. The browser then contacts
   * the server that a record names. Default: `false`, where such an account has no name.
   */
  ccipRead?: boolean | undefined
}

/** Creates the function that reads the name and the avatar of an account. */
export function createEnsReader({ transport, ccipRead = false }: EnsNamesOptions) {
  const client = createClient({
    chain: mainnet,
    transport: typeof transport === 'function' ? transport : http(transport),
    batch: { multicall: true },
  })
  return async (address: Address): Promise<ResolvedName | undefined> => {
    // With the client's own id, by which viem joins concurrent reads.
    const reader = { ...client, ccipRead: ccipRead && { request: createFewRequests() } }
    // The resolver refuses a name that leads to another account.
    const name = parseName(await orUndefined(getEnsName(reader, { address })))
    if (!name) return undefined
    // The record itself: viem's `getEnsAvatar` asks the host of the picture, and servers of tokens and of IPFS.
    const avatar = await getEnsText(reader, { name, key: 'avatar' }).catch(() => undefined)
    return { name, avatar }
  }
}

/** Largest number of times that the name and the avatar of an account lead to other servers. */
const mostLookups = 8

/** Returns viem's function that asks other servers, for a few times: each answer may name further servers, without end. */
function createFewRequests() {
  let left = mostLookups
  return async ({ urls, ...parameters }: CcipRequestParameters) => {
    if (left === 0) throw new Error('The name leads to too many servers.')
    left--
    return ccipRequest({ ...parameters, urls: urls.slice(0, mostLookups) })
  }
}
