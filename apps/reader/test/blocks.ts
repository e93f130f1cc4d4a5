import { type Hex, keccak256, numberToHex, stringToHex } from 'viem'

const filled = (byte: string, bytes: number): Hex => `0x${byte.repeat(bytes)}`

/** Returns the hash of a block of a made-up chain. `fork` distinguishes blocks of one height. */
export const hashAt = (number: number, fork = ''): Hex => keccak256(stringToHex(`${number} ${fork}`))

/** Returns a complete block, as returned by nodes. */
export const blockAt = (number: number, changes: object = {}) => ({
  number: numberToHex(number),
  hash: hashAt(number),
  parentHash: hashAt(number - 1),
  timestamp: numberToHex(1_700_000_000 + number),
  logsBloom: filled('00', 256),
  ...changes,
})

/** Returns a complete log of a block, as returned by nodes. */
export const logAt = (number: number, index = 0, changes: object = {}) => ({
  blockNumber: numberToHex(number),
  blockHash: hashAt(number),
  transactionHash: keccak256(stringToHex(`transaction ${number} ${index}`)),
  transactionIndex: numberToHex(index),
  logIndex: numberToHex(index),
  address: filled('c0', 20),
  topics: [filled('01', 32), filled('02', 32)],
  data: filled('03', 64),
  removed: false,
  ...changes,
})
