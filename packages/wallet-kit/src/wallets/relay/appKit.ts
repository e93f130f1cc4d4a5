/**
 * Replaces `@reown/appkit/core`, the dialogs that the relay client loads for `showQrModal`, because the kit has its
 * own dialogs.
 */
export function createAppKit(): never {
  throw new Error('The dialogs of @reown/appkit are not part of this package.')
}
