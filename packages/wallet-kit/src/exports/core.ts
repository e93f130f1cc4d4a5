export type { AuthenticationAdapter, AuthenticationConfig, Session } from '../core/authentication.ts'
export type { NamesConfig, WalletKitChain, WalletKitConfig } from '../core/config.ts'
export { createWalletKit, type WalletKit } from '../core/createWalletKit.ts'
export {
  AbortedError,
  ChainError,
  ConfigurationError,
  RelayUnreachableError,
  RequestPendingError,
  SignInError,
  type SignInStage,
  toWalletKitError,
  UserRejectedError,
  WalletKitError,
  type WalletKitErrorName,
  WalletNotAvailableError,
} from '../core/errors.ts'
export { type FormatBalanceParameters, formatAddress, formatBalance, formatName } from '../core/format.ts'
export { type SignInEvent, type SignInStep, signInSteps } from '../core/signInSteps.ts'
export type {
  AccountName,
  Connection,
  Dialog,
  NamedAddress,
  NameLookup,
  Status,
  Transaction,
  TransactionAccount,
  WalletKitState,
} from '../core/state.ts'
export { type ConnectEvent, type ConnectingStep, type ConnectStep, steps } from '../core/steps.ts'
export type { KeyValueStorage } from '../core/storage.ts'
export type {
  Connector,
  ConnectorConnection,
  ConnectorConnectParameters,
  ConnectorContext,
  ConnectorFactory,
  ConnectorKind,
  DownloadUrls,
  RelayLinks,
  WalletDefinition,
  WalletGroup,
  WalletOption,
  WalletTransaction,
} from '../core/wallet.ts'
