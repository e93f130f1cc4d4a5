'use client'

export type { Register, RegisteredKit } from '../core/WalletKit.ts'
export type { Messages } from '../locales/locales.ts'
export { ConnectButton, type ConnectButtonProps } from '../react/ConnectButton/ConnectButton.tsx'
export type { Responsive } from '../react/ConnectButton/responsive.ts'
export type { ConnectButtonRenderProps } from '../react/ConnectButton/useConnectButton.ts'
export { closeOnBack, type UseCloseOnBackParameters, useCloseOnBack } from '../react/hooks/useCloseOnBack.ts'
export {
  type UseAccountDialogReturnType,
  type UseConnectDialogReturnType,
  type UseNetworkDialogReturnType,
  useAccountDialog,
  useConnectDialog,
  useNetworkDialog,
} from '../react/hooks/useDialogs.ts'
export { type UseNameParameters, type UseNameReturnType, useName } from '../react/hooks/useName.ts'
export { type UseSignInReturnType, useSignIn } from '../react/hooks/useSignIn.ts'
export {
  type UseAddTransactionReturnType,
  type UseRecentTransactionsReturnType,
  useAddTransaction,
  useRecentTransactions,
} from '../react/hooks/useTransactions.ts'
export { type UseWalletConnectionReturnType, useWalletConnection } from '../react/hooks/useWalletConnection.ts'
export {
  type UseWalletKitParameters,
  type UseWalletKitReturnType,
  useWalletKit,
  useWalletKitState,
} from '../react/hooks/useWalletKit.ts'
export { Identicon, type IdenticonProps } from '../react/icons/Avatar.tsx'
export {
  autoTheme,
  createWalletKitTheme,
  darkTheme,
  lightTheme,
  neutralTheme,
  type WalletKitTheme,
  type WalletKitThemeOptions,
} from '../react/theme/createWalletKitTheme.ts'
export type { Token as WalletKitToken, Tokens as WalletKitTokens } from '../react/theme/tokens.ts'
export type { AvatarProps } from '../react/WalletKitContext.ts'
export { WalletKitProvider, type WalletKitProviderProps } from '../react/WalletKitProvider.tsx'
