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
  type UseBalanceParameters,
  type UseBalanceReturnType,
  type UseReadContractParameters,
  type UseReadContractReturnType,
  type UseTransactionReceiptParameters,
  type UseTransactionReceiptReturnType,
  useBalance,
  useReadContract,
  useTransactionReceipt,
} from '../hooks/reading.ts'
export {
  type SendTransactionVariables,
  type UseCapabilitiesParameters,
  type UseCapabilitiesReturnType,
  type UseSendCallsReturnType,
  type UseSendTransactionReturnType,
  type UseTransactionStatusParameters,
  type UseTransactionStatusReturnType,
  type UseWriteContractReturnType,
  useCapabilities,
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
export type { SentTransaction, TransactionOptions } from '../hooks/useKitMutation.ts'
export type { KitQueryOptions } from '../hooks/useKitQuery.ts'
