// A module of its own, loaded with the first connection: the hash behind checksums is not needed for the first paint.
export { getAddress as checksumAddress } from 'viem'
