// On its own, to be loaded on demand: these bring every action of viem.
export { createPublicClient, createWalletClient, custom } from 'viem'
