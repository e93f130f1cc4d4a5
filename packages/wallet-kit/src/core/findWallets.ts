import type { EIP1193Provider } from 'viem'
import { type Announcement, findByNamespace, findUnannounced, hasFlag } from './discovery.ts'
import { injected } from './injected.ts'
import type { WalletDefinition, WalletGroup } from './wallet.ts'

/** A wallet of the list: a definition, and the provider found for it. */
export type FoundWallet = {
  definition: WalletDefinition
  groupName: string
  provider?: EIP1193Provider
  /** Under which `provider` announced itself. */
  rdns?: string
  verified: boolean
}

/** The kit's own names of groups, which dialogs translate. */
export const installedGroup = 'Installed'

const placeholderIcon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Cpath fill='none' stroke='%23777' stroke-width='1.5' stroke-linejoin='round' d='M4 7.5A1.5 1.5 0 0 1 5.5 6H18v3M4 7.5V17a2 2 0 0 0 2 2h14V9H5.5A1.5 1.5 0 0 1 4 7.5M16 14h.01'/%3E%3C/svg%3E"

/**
 * Joins what the app configured with what is on the page. A definition claims the announcements of its rdns, else a
 * namespace or flag; what nobody claims is shown as it announced itself; and `window.ethereum` becomes a "Browser
 * Wallet" only when it is all there is.
 */
export function findWallets(groups: readonly WalletGroup[], announcements: readonly Announcement[]): FoundWallet[] {
  const announced = new Map<string, Announcement[]>()
  for (const it of announcements) announced.set(it.rdns, [...(announced.get(it.rdns) ?? []), it])
  const announcedProviders = new Set(announcements.map(({ provider }) => provider))
  const unannounced = new Set(findUnannounced().filter((provider) => !announcedProviders.has(provider)))

  const claimed = new Set<string>()
  const ids = new Set<string>()
  const isFirst = ({ id }: WalletDefinition) => !ids.has(id) && ids.add(id)
  const configured = groups.flatMap(({ groupName, wallets }) =>
    wallets.filter(isFirst).map((definition): FoundWallet => {
      const names = definition.rdns?.filter((rdns) => announced.has(rdns) && !claimed.has(rdns)) ?? []
      for (const rdns of names) claimed.add(rdns)
      const rivals = announced.get(names[0] ?? '')
      if (rivals?.[0])
        return {
          definition,
          groupName,
          provider: rivals[0].provider,
          rdns: rivals[0].rdns,
          verified: rivals.length === 1,
        }

      const provider =
        definition.namespaces?.map(findByNamespace).find((it) => it && !announcedProviders.has(it)) ??
        [...unannounced].find((it) => definition.flags?.some((flag) => hasFlag(it, flag)))
      if (provider) unannounced.delete(provider)
      return { definition, groupName, ...(provider && { provider }), verified: true }
    }),
  )

  const names = new Set(configured.map(({ definition }) => fold(definition.name)))
  const discovered = [...announced].flatMap(([rdns, rivals]) =>
    rivals.flatMap(({ name, icon, uuid, provider }, index): FoundWallet[] => {
      if (index === 0 && claimed.has(rdns)) return []
      const id = index === 0 && !ids.has(rdns) ? rdns : `${rdns}#${uuid}`
      const definition = describeDiscovered({ id, name, icon, rdns })
      // It bears the name of a wallet that it is not.
      const isImpostor = names.has(fold(name))
      return [{ definition, groupName: installedGroup, provider, rdns, verified: rivals.length === 1 && !isImpostor }]
    }),
  )
  const generic =
    announcements.length > 0
      ? []
      : [...unannounced].map((provider, index): FoundWallet => {
          const id = index === 0 ? 'browserWallet' : `browserWallet#${index + 1}`
          return {
            definition: describeDiscovered({ id, name: 'Browser Wallet' }),
            groupName: installedGroup,
            provider,
            verified: true,
          }
        })
  return [...configured, ...discovered, ...generic]
}

/** What reads the same to a hurried eye. */
const fold = (name: string) =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{P}]|wallet/gu, '')

function describeDiscovered(found: {
  id: string
  name: string
  icon?: string | undefined
  rdns?: string
}): WalletDefinition {
  return {
    id: found.id,
    name: found.name,
    iconUrl: found.icon ?? placeholderIcon,
    iconBackground: '#fff',
    ...(found.rdns && { rdns: [found.rdns] }),
    connectors: [injected()],
  }
}
