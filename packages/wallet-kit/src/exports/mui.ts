export { themeFromMui } from '../mui/themeFromMui.ts'
export type { WalletKitTheme } from '../react/theme/createWalletKitTheme.ts'
export type { Tokens as WalletKitTokens } from '../react/theme/tokens.ts'
