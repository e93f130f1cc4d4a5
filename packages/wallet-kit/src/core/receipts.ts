// On its own, to be loaded with the first transaction.
export { getBlockNumber, getTransactionReceipt } from 'viem/actions'
