/** Replaces `@reown/appkit/core`, the dialogs that the relay client loads for `showQrModal`: the kit has its own. */
export function createAppKit(): never {
  throw new Error('The dialogs of @reown/appkit are not part of this package.')
}
