/** In place of `@reown/appkit/core`, the dialogs that the relay client would load for `showQrModal`. The kit draws its own. */
export function createAppKit(): never {
  throw new Error('The dialogs of @reown/appkit are not part of this package.')
}
