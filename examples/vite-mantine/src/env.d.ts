interface ImportMetaEnv {
  /** Your project id of the relay, for wallets on a phone. */
  readonly VITE_PROJECT_ID?: string
  /** Your node. Default: a public one. */
  readonly VITE_RPC_URL?: string
}

/** Makes any other name an error. */
interface ViteTypeOptions {
  strictImportMetaEnv: unknown
}
