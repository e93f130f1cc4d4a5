// On its own, to be loaded on demand: few servers name more than one node.
export { fallback } from 'viem'
