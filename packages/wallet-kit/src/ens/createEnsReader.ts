// A separate module, loaded with the first lookup.
import { type Address, createClient, http, type Transport } from 'viem'
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
    ...(!ccipRead && { ccipRead: false }),
  })
  return async (address: Address): Promise<ResolvedName | undefined> => {
    // The resolver refuses a name that leads to another account.
    const name = parseName(await orUndefined(getEnsName(client, { address })))
    if (!name) return undefined
    // The record itself: viem's `getEnsAvatar` asks the host of the picture, and servers of tokens and of IPFS.
    const avatar = await getEnsText(client, { name, key: 'avatar' }).catch(() => undefined)
    return { name, avatar }
  }
}
