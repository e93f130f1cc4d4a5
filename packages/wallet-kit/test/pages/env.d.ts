interface ImportMeta {
  /** Set by Vite when the page is built. */
  readonly env: { readonly VITE_RPC_URL: string }
}
