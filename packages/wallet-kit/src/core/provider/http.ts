// A separate module, loaded on demand.
export { http } from 'viem'
