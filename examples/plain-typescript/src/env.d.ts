interface ImportMetaEnv {
  /** Your node. Default: a public one. */
  readonly VITE_RPC_URL?: string
}

/** Makes any other name an error. */
interface ViteTypeOptions {
  strictImportMetaEnv: unknown
}
