export { themeFromMui } from '../mui/themeFromMui.ts'
export type { WalletKitTheme } from '../react/theme/createWalletKitTheme.ts'
