/** Replaced by the bundler. */
declare const process: { env: { RPC_URL?: string } }
