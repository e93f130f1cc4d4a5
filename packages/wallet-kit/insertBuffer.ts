import { resolve } from 'node:path'

/** Matches the module of the relay client that uses `Buffer` as a global. */
export const bufferUser = /@walletconnect\/utils\/dist\/index\.es\.js$/

/** Returns the module's code with the kit's part of `Buffer` instead of the global. */
export const insertBuffer = (code: string): string =>
  `import { Buffer } from ${JSON.stringify(resolve(import.meta.dirname, 'src/wallets/relay/buffer.ts'))}\n${code}`
