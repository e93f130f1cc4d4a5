// On its own, to be loaded with the first connection: the hash behind checksums is no part of the first paint.
export { getAddress as checksumAddress } from 'viem'
