/** Chains of the demo wallet: the product's chain, and an unsupported one. */
export const demoChains = [
  { id: 56, name: 'BNB Smart Chain', symbol: 'BNB' },
  { id: 97, name: 'Demo Testnet', symbol: 'tBNB' },
] as const

export type DemoChainId = (typeof demoChains)[number]['id']

/** Chain of the wallet's node. On the other chain the wallet can sign, but not read or send. */
export const nodeChainId: DemoChainId = 56

export function toDemoChainId(id: unknown): DemoChainId | undefined {
  return demoChains.find((chain) => chain.id === id)?.id
}

export function chainName(id: DemoChainId): string {
  return demoChains.find((chain) => chain.id === id)?.name ?? `${id}`
}
