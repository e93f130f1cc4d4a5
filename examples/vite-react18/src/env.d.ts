interface ImportMetaEnv {
  /** Path of your sign-in server. Without it, the app has no sign-in. */
  readonly VITE_AUTH_URL?: string
  /** Your project id of the relay, for wallets on a phone. */
  readonly VITE_PROJECT_ID?: string
  /** Your node. Default: a public one. */
  readonly VITE_RPC_URL?: string
}

/** Makes any other name an error. */
interface ViteTypeOptions {
  strictImportMetaEnv: unknown
}
