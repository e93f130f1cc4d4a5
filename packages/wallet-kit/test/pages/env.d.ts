interface ImportMeta {
  /** Put in by Vite when the page is built. */
  readonly env: { readonly VITE_RPC_URL: string }
}
