import { createSiweMessage, parseSiweMessage, type SiweMessage } from 'viem/siwe'
import { isRecord, readProperty } from '../lib/readProperty.ts'

/**
 * Checks that a wallet signed the text that it was asked to sign. A wallet on the relay adds a recap of the requests
 * that the session allows, and the time; nothing else may differ.
 *
 * @see https://eips.ethereum.org/EIPS/eip-5573
 */
export function isAskedMessage(signed: string, asked: string): boolean {
  return signed === asked || signed === addRecap(asked, signed)
}

/** Returns the text with the recap and the time of the signed text. Returns `undefined` if the signed text has none. */
function addRecap(text: string, signed: string): string | undefined {
  const message = parseSiweMessage(text) as SiweMessage
  const { issuedAt, resources } = parseSiweMessage(signed)
  const recap = resources?.at(-1)
  const authorization = recap && describeRecap(recap)
  if (!authorization || !issuedAt) return undefined
  try {
    return createSiweMessage({
      ...message,
      issuedAt,
      statement: message.statement ? `${message.statement} ${authorization}` : authorization,
      resources: [...(message.resources ?? []), recap],
    })
  } catch {
    return undefined
  }
}

/**
 * Returns the sentence of a recap that allows requests to the account and nothing else. Returns `undefined` for other
 * recaps.
 */
function describeRecap(recap: string): string | undefined {
  const methods = parseRecap(recap)?.map((ability) => /^request\/([a-zA-Z]+_[a-zA-Z0-9_]+)$/.exec(ability)?.[1])
  if (!methods?.length || methods.includes(undefined)) return undefined
  const list = methods.toSorted((a = '', b = '') => a.localeCompare(b)).join("', '")
  return `I further authorize the stated URI to perform the following actions on my behalf: (1) 'request': '${list}' for 'eip155'.`
}

/** Returns the abilities of a recap for Ethereum accounts. Returns `undefined` if it has others. */
function parseRecap(recap: string): string[] | undefined {
  const [, encoded] = /^urn:recap:([a-zA-Z0-9+/]+)$/.exec(recap) ?? []
  try {
    const details: unknown = JSON.parse(atob(encoded ?? ''))
    const att = readProperty(details, 'att')
    const abilities = readProperty(att, 'eip155')
    const isPlain = Object.keys(Object(details)).length === 1 && Object.keys(Object(att)).length === 1
    return isPlain && isRecord(abilities) ? Object.keys(abilities) : undefined
  } catch {
    return undefined
  }
}
