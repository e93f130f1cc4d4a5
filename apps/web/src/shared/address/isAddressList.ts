import { parseAddress } from './parseAddress.ts'

/** Returns whether a text has several addresses. */
export const isAddressList = (text: string): boolean =>
  (text.match(/0x\s?[0-9a-f]{4}|(?<![0-9a-fx])[0-9a-f]{40}(?![0-9a-f])/gi)?.length ?? 0) > 1 &&
  parseAddress(text).kind !== 'valid'
