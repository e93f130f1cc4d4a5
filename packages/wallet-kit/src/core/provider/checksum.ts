// A separate module, loaded with the first connection: the first paint does not need the checksum hash.
export { getAddress as checksumAddress } from 'viem'
