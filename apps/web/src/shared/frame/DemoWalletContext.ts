import { createContext } from 'react'

/** Opens the demo wallet's own panel; `undefined` where there is no demo wallet, or not yet. */
export const DemoWalletContext = createContext<(() => void) | undefined>(undefined)
