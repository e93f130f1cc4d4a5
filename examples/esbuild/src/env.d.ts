/** Replaced by the bundler. */
declare const process: { env: { AUTH_URL?: string; RPC_URL?: string } }
