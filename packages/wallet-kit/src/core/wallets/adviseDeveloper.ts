import { findMeant } from '../lib/developer.ts'
import type { AuthenticationConfig } from '../state/authentication.ts'
import type { NamesConfig, WalletKitConfig } from '../state/config.ts'
import { configOptions } from '../state/explainConfig.ts'
import type { Wallets } from './createWallets.ts'
import type { Connector, WalletGroup } from './wallet.ts'

const advices = {
  projectId: 'cannot be reached over the relay without a projectId (free at https://dashboard.reown.com)',
  '@coinbase/wallet-sdk':
    "cannot be reached without its extension, unless you load its SDK: defaultWallets({ loadCoinbase: () => import('@coinbase/wallet-sdk') }), or coinbaseConnector({ load: () => import('@coinbase/wallet-sdk') }) among its connectors",
  '@base-org/account':
    "cannot be reached unless you load its SDK: baseAccountConnector({ load: () => import('@base-org/account') }) as its connector",
} satisfies Record<NonNullable<Connector['needs']>, string>

const ofNames: Readonly<Record<keyof NamesConfig, true>> = {
  ...{ resolve: true, baseUrl: true, apiKey: true, header: true, bnb: true },
}

const ofAuthentication: Readonly<Record<keyof AuthenticationConfig, true>> = {
  ...{ adapter: true, required: true, covers: true },
}

/** Returns the unknown options, each with the known one that was probably meant. */
const findUnknown = (options: object = {}, known: readonly string[], path = '') =>
  Object.keys(options)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const meant = findMeant(key, known)
      return path + key + (meant ? ` (did you mean ${path}${meant}?)` : '')
    })

/**
 * Logs to the developer: requirements of wallets that the app does not meet, ids that are used twice, and options that
 * the kit does not know.
 */
export function adviseDeveloper(
  config: WalletKitConfig,
  groups: readonly WalletGroup[],
  wallets: Pick<Wallets, 'get'>,
): void {
  const definitions = groups.flatMap((group) => group.wallets)
  const ids = definitions.map(({ id }) => id)
  const isFirst = (id: string, index: number) => ids.indexOf(id) === index
  const byNeed = new Map<keyof typeof advices, string[]>()
  for (const { id, name } of definitions.filter(({ id }, index) => isFirst(id, index)))
    for (const { needs } of wallets.get(id)?.connectors ?? [])
      if (needs) byNeed.set(needs, [...(byNeed.get(needs) ?? []), name])

  const advice = [
    ...[...byNeed].map(([need, names]) => `${names.join(', ')}: ${advices[need]}.`),
    ...ids
      .filter((id, index) => !isFirst(id, index))
      .map((id) => `The wallet id "${id}" is used again; the first wallet that has it is kept.`),
  ]
  if (advice.length > 0)
    console.info(['@lineage/wallet-kit: not every wallet can be used everywhere.', ...advice].join('\n- '))
  const unknown = [
    ...findUnknown(config, configOptions),
    ...findUnknown(config.names, Object.keys(ofNames), 'names.'),
    ...findUnknown(config.authentication, Object.keys(ofAuthentication), 'authentication.'),
  ]
  if (unknown.length > 0)
    console.info(`@lineage/wallet-kit: createWalletKit ignores options that it does not have: ${unknown.join(', ')}.`)
}
