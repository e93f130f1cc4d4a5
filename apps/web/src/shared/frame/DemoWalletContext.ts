import { createContext } from 'react'

/** Opens the demo wallet's panel; `undefined` without a demo wallet. */
export const DemoWalletContext = createContext<(() => void) | undefined>(undefined)
