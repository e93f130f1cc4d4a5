interface Window {
  /** Of this page's content security policy; styles made at run time carry it. */
  __nonce__?: string
}
