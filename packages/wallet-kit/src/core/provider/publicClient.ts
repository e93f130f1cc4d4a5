// A separate module, loaded on demand: these functions include every action of viem.
export { createPublicClient, createWalletClient, custom, encodeFunctionData } from 'viem'
