/** The chains the demo wallet knows: the product's own, and one to be wrong on. */
export const demoChains = [
  { id: 56, name: 'BNB Smart Chain', symbol: 'BNB' },
  { id: 97, name: 'Demo Testnet', symbol: 'tBNB' },
] as const

export type DemoChainId = (typeof demoChains)[number]['id']

/** The chain behind the wallet's node. The other one has none: it can be chosen and signed on, not read or sent to. */
export const nodeChainId: DemoChainId = 56

export function toDemoChainId(id: unknown): DemoChainId | undefined {
  return demoChains.find((chain) => chain.id === id)?.id
}

export function chainName(id: DemoChainId): string {
  return demoChains.find((chain) => chain.id === id)?.name ?? `${id}`
}
