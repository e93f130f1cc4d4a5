// A module of its own, loaded on demand.
export { http } from 'viem'
