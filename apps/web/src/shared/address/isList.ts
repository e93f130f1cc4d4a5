import { parseAddress } from './parseAddress.ts'

/** Whether a text is rather a list than one address. */
export const isList = (text: string): boolean =>
  (text.match(/0x\s?[0-9a-f]{4}|(?<![0-9a-fx])[0-9a-f]{40}(?![0-9a-f])/gi)?.length ?? 0) > 1 &&
  parseAddress(text).kind !== 'valid'
