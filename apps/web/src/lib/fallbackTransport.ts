// Loaded on demand: few servers configure more than one node.
export { fallback, http } from 'viem'
