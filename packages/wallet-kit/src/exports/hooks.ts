'use client'

export type { KitChainId, Register } from '../core/WalletKit.ts'
export { type TokenBalance, type UseBalanceOfParameters, useBalanceOf } from '../hooks/useBalanceOf.ts'
export { type UseCapabilitiesParameters, useCapabilities } from '../hooks/useCapabilities.ts'
export type { SentTransaction, TransactionOptions } from '../hooks/useKitMutation.ts'
export type { KitQueryOptions } from '../hooks/useKitQuery.ts'
export { type UseReadContractParameters, useReadContract } from '../hooks/useReadContract.ts'
export { type UseSendCallsReturnType, useSendCalls } from '../hooks/useSendCalls.ts'
export { type SendTransactionVariables, useSendTransaction } from '../hooks/useSendTransaction.ts'
export { type SignMessageVariables, useSignMessage } from '../hooks/useSignMessage.ts'
export {
  type SignTypedDataVariables,
  type UseSignTypedDataReturnType,
  useSignTypedData,
} from '../hooks/useSignTypedData.ts'
export { type UseTransactionReceiptParameters, useTransactionReceipt } from '../hooks/useTransactionReceipt.ts'
export { useTransactionStatus } from '../hooks/useTransactionStatus.ts'
export {
  type UseWriteContractReturnType,
  useWriteContract,
  type WriteContractVariables,
} from '../hooks/useWriteContract.ts'
