// A module of its own, loaded on demand: these functions bring every action of viem.
export { createPublicClient, createWalletClient, custom, encodeFunctionData } from 'viem'
