import { createSiweMessage, parseSiweMessage, type SiweMessage } from 'viem/siwe'
import { SiweProblem } from './siweProblem.ts'

/**
 * Parses a message. Refuses any text that `createSiweMessage` would not write: viem's parser searches for the parts
 * of a message, so it would also find them in a text with additional content.
 *
 * @see https://eips.ethereum.org/EIPS/eip-4361#abnf-message-format
 * @throws {SiweProblem} `invalid_message`
 */
export function parseMessage(text: string): SiweMessage {
  // Missing fields fail when the message is written again below.
  const message = parseSiweMessage(text) as SiweMessage
  if (!/^[\n\x20-\x7e]+$/.test(text) || write(message) !== text)
    throw new SiweProblem('invalid_message', 'The message does not follow EIP-4361.')
  return message
}

function write(message: SiweMessage): string | undefined {
  try {
    return createSiweMessage(message)
  } catch {
    return undefined
  }
}
