'use client'

export { Account } from '../react/parts/Account.tsx'
export {
  Connect,
  type WalletGroup,
  type WalletState,
} from '../react/parts/Connect.tsx'
export type { ConnectState, ConnectView } from '../react/parts/connectContext.tsx'
export type { Part, PartProps, RenderProps } from '../react/parts/createPart.ts'
export type { Download } from '../react/parts/downloads.ts'
export { Network, type ShownChain } from '../react/parts/Network.tsx'
export { SignIn } from '../react/parts/SignIn.tsx'
export type { ShownTransaction } from '../react/parts/transactions.ts'
export type { LinkedApp } from '../react/parts/useApps.ts'
