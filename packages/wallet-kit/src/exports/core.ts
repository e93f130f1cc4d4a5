export type { ConnectParameters } from '../core/connection/connect.ts'
export type { SwitchChainParameters } from '../core/connection/connected.ts'
export type { NewConnection } from '../core/connection/connectionListeners.ts'
export type { DisconnectParameters } from '../core/connection/disconnect.ts'
export { createWalletKit } from '../core/createWalletKit.ts'
export type { OpenConnectParameters } from '../core/dialogs/dialogs.ts'
export type { ConnectEvent } from '../core/dialogs/steps.ts'
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
  type WalletKitErrorType,
  WalletNotAvailableError,
  type WalletNotAvailableReason,
} from '../core/lib/errors.ts'
export {
  type Balance,
  type FormatBalanceParameters,
  formatAddress,
  formatBalance,
  formatName,
} from '../core/lib/format.ts'
export type { KeyValueStorage } from '../core/lib/storage.ts'
export type { LookUpAddressParameters, LookUpNamesParameters } from '../core/names/bnbNames.ts'
export type { LookUpNameParameters } from '../core/names/lookUpName.ts'
export type { GetClientParameters } from '../core/provider/clients.ts'
export type { AuthenticationAdapter, AuthenticationConfig, Session } from '../core/state/authentication.ts'
export type {
  Chains,
  NamesConfig,
  ResolvedConfig,
  ResolvedName,
  WalletKitChain,
  WalletKitConfig,
} from '../core/state/config.ts'
export type { SettledListener } from '../core/state/context.ts'
export type {
  AccountName,
  Attempt,
  CommonState,
  ConnectingState,
  ConnectingStep,
  Connection,
  ConnectionState,
  ConnectStep,
  Dialog,
  DisconnectedState,
  EstablishedState,
  NamedAddress,
  NameLookup,
  ReconnectingState,
  SignInStep,
  Status,
  Transaction,
  TransactionAccount,
  WalletKitState,
} from '../core/state/state.ts'
export type { GetCapabilitiesParameters, SendCallsParameters, SentCalls } from '../core/transactions/calls.ts'
export type { AddCallsParameters, AddTransactionParameters } from '../core/transactions/createTransactions.ts'
export type { WalletCapabilities } from '../core/transactions/parseCalls.ts'
export type { KitChainId, KitWalletId, Register, WalletKit } from '../core/WalletKit.ts'
export type {
  ConnectAndSign,
  Connector,
  ConnectorConnection,
  ConnectorConnectParameters,
  ConnectorContext,
  ConnectorFactory,
  ConnectorKind,
  DownloadUrls,
  ListedWalletId,
  LoadWalletApps,
  RelayLinks,
  SignedMessage,
  WalletApp,
  WalletDefinition,
  WalletGroup,
  WalletId,
  WalletOption,
  WalletTransaction,
} from '../core/wallets/wallet.ts'
