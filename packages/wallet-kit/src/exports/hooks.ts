'use client'

export type { Balance } from '../core/lib/format.ts'
export type { KitChainId, KitWalletId, Register } from '../core/WalletKit.ts'
export {
  type UseDisconnectReturnType,
  type UseSwitchChainReturnType,
  useDisconnect,
  useSwitchChain,
} from '../hooks/connection.ts'
export {
  type SendTransactionVariables,
  type UseSendCallsReturnType,
  type UseSendTransactionReturnType,
  type UseTransactionStatusParameters,
  type UseTransactionStatusReturnType,
  type UseWriteContractReturnType,
  useSendCalls,
  useSendTransaction,
  useTransactionStatus,
  useWriteContract,
  type WriteContractVariables,
} from '../hooks/sending.ts'
export {
  type SignMessageVariables,
  type SignTypedDataVariables,
  type UseSignMessageReturnType,
  type UseSignTypedDataReturnType,
  useSignMessage,
  useSignTypedData,
} from '../hooks/signing.ts'
export { type UseBalanceParameters, type UseBalanceReturnType, useBalance } from '../hooks/useBalance.ts'
export {
  type UseCapabilitiesParameters,
  type UseCapabilitiesReturnType,
  useCapabilities,
} from '../hooks/useCapabilities.ts'
export type { SentTransaction, TransactionOptions } from '../hooks/useKitMutation.ts'
export type { KitQueryOptions } from '../hooks/useKitQuery.ts'
export {
  type UseReadContractParameters,
  type UseReadContractReturnType,
  useReadContract,
} from '../hooks/useReadContract.ts'
export {
  type UseTransactionReceiptParameters,
  type UseTransactionReceiptReturnType,
  useTransactionReceipt,
} from '../hooks/useTransactionReceipt.ts'
