import type { Address, Chain, Transport } from 'viem'
import type { KeyValueStorage } from '../lib/storage.ts'
import type { AppDetails, WalletGroup } from '../wallets/wallet.ts'
import type { AuthenticationConfig } from './authentication.ts'

/**
 * A viem chain, with an optional icon.
 *
 * @see https://viem.sh/docs/chains/introduction
 */
export type WalletKitChain = Chain & { iconUrl?: string | undefined }

/** Name and avatar of an account, from a source of names. */
export type ResolvedName = {
  name?: string | null | undefined
  /** An `https:` or `data:image/` address. */
  avatar?: string | null | undefined
}

/** The sources of names, asked in this order. */
export type NamesConfig = {
  /**
   * Your own source, which is asked first: ENS, or a directory of your app. It returns nothing for an account without
   * a name; an avatar without a name is shown too. It has 10 seconds, after which `signal` fires.
   *
   * @param parameters - The account, and a signal that fires when the answer is no longer needed.
   */
  resolve?:
    | ((parameters: { address: Address; signal: AbortSignal }) => Promise<ResolvedName | null | undefined>)
    | undefined
  /** Service that answers `GET {baseUrl}/v1/resolve-ens?address=…` with `{ data: string | null }`. */
  baseUrl?: string | undefined
  /** Key of that service. Keys in a page are public: to hide it, set `baseUrl` to your own server. */
  apiKey?: string | undefined
  /** Header of the key. Default: `x-api-key`. */
  header?: string | undefined
  /**
   * Reads .bnb names on chain 56, which must be among the chains. A name counts only if it resolves to the account.
   *
   * @see https://docs.space.id
   */
  bnb?: boolean | undefined
}

/** The chains of an app, at least one. */
export type Chains = readonly [WalletKitChain, ...WalletKitChain[]]

/**
 * The configuration of a kit. An option with the value `undefined` counts as omitted.
 *
 * @typeParam chains - The chains, whose ids limit `transports` and `initialChain`.
 * @typeParam id - The ids of the wallets.
 */
export type WalletKitConfig<chains extends Chains = Chains, id extends string = string> = AppDetails & {
  /**
   * Separates this kit from other kits of the same site, in storage and between tabs. Letters, digits and dashes.
   * Default: none.
   */
  id?: string | undefined
  /** Project id of the WalletConnect relay, for wallets that use it. @see https://dashboard.reown.com */
  projectId?: string | undefined
  chains: chains
  /**
   * Transport that reads each chain, by chain id: the URL of a node, or a viem transport. viem's code for a URL is loaded with the first
   * read. Only transactions that no node knows yet are read through the wallet.
   */
  transports: Readonly<Record<chains[number]['id'], Transport | string>>
  /** Groups of wallets, or `'announced'` for only the wallets that announce themselves on the page. */
  wallets: readonly WalletGroup<id>[] | 'announced'
  /** Enables sign-in. */
  authentication?: AuthenticationConfig | undefined
  /**
   * Storage of the last connection, recent wallets, the relay's session, transactions and names. Default:
   * `localStorage`. With your own storage, tabs do not exchange messages.
   */
  storage?: KeyValueStorage | undefined
  /** Sources of account names. Default: none. */
  names?: NamesConfig | undefined
  /** Chain to read before a wallet is connected. Default: the first one. */
  initialChain?: chains[number]['id'] | chains[number] | undefined
}

/** A configuration with a transport for each chain. */
export type ResolvedConfig<chains extends Chains = Chains> = Omit<WalletKitConfig<chains>, 'transports'> & {
  transports: Readonly<Record<chains[number]['id'], Transport>>
}

/** Returns the chain that is read, and that sign-in switches to, before a wallet has chosen one. */
export function findInitialChain<chains extends Chains>({
  chains,
  initialChain,
}: Pick<WalletKitConfig<chains>, 'chains' | 'initialChain'>): chains[number] {
  const id = typeof initialChain === 'object' ? initialChain.id : initialChain
  return chains.find((chain) => chain.id === id) ?? chains[0]
}
