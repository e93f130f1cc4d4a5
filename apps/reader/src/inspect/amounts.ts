import { type Address, encodeFunctionData, erc20Abi, type Hex, hexToString, pad } from 'viem'
import type { HistoryLog } from '../history/HistorySource.ts'
import type { Nodes } from '../nodes/createNodes.ts'
import type { Case, Entry } from './Inspection.ts'
import { type FoundEvent, wordOf } from './matchEvents.ts'
import { wordsOf } from './readCode.ts'

type Token = { symbol: string; decimals: number }
const bnb: Token = { symbol: 'BNB', decimals: 18 }

/** Finds the events that state rewards and volumes, and the token of their amounts by the transfers in the same transactions. */
export async function findAmounts(known: Case): Promise<Entry> {
  const entry: { tokens?: Record<string, Token>; [kind: string]: unknown } = {}
  for (const role of ['volume', 'reward'] as const) {
    const found = known.events.find(
      ({ where, meanings }) => !where && meanings.some((meaning) => meaning.role === role),
    )
    const meaning = found?.meanings.find((one) => one.role === role)
    if (!found || !meaning || !('amount' in meaning)) continue
    const token = await findToken(known, found, meaning.amount)
    if (!token) {
      known.findings.push({
        about: 'tokens',
        text: `unknown: ${found.text} is left out of ${role}s`,
        evidence: 'no transfer of the same amount is in its transactions',
        level: 'missing',
      })
      known.doubts.push({
        question: `Which token are the amounts of ${found.text} in?`,
        settle: `Write it beside the event: "${role}s": { "event": "${found.text}", "member": "${meaning.member}", "amount": "${meaning.amount}" }, "tokens": { "${role}": { "symbol": "…", "decimals": 18 } }`,
      })
      continue
    }
    known.findings.push({
      about: 'tokens',
      text: `${role}s of ${found.text} in ${token.symbol}, ${token.decimals} decimals`,
      evidence: token.evidence,
      level: 'found',
    })
    const { member, amount } = meaning
    const from = 'from' in meaning && meaning.from ? { from: meaning.from } : {}
    entry[`${role}s`] = { event: found.text, member, amount, ...from }
    entry.tokens = { ...entry.tokens, [role]: { symbol: token.symbol, decimals: token.decimals } }
  }
  return entry
}

/** Number of transactions that are looked at for the token of an amount. */
const someTransactions = 5

async function findToken(
  { nodes }: Case,
  event: FoundEvent,
  amount: string,
): Promise<(Token & { evidence: string }) | undefined> {
  for (const log of event.logs.slice(0, someTransactions)) {
    const wanted = wordOf(log, event.item, amount)
    const [receipt, transaction] = await Promise.all(
      ['eth_getTransactionReceipt', 'eth_getTransactionByHash'].map((method) =>
        nodes.request({ method, params: [log.transactionHash] }).catch(() => undefined),
      ),
    )
    const logs = (receipt as { logs?: unknown } | null | undefined)?.logs
    const transfer = (Array.isArray(logs) ? (logs as HistoryLog[]) : []).find(
      ({ topics, data }) => topics?.length === 3 && topics[0]?.startsWith('0xddf252ad') && data === wanted,
    )
    if (transfer) {
      const { symbol, decimals } = await readToken(nodes, transfer.address)
      if (symbol !== undefined && decimals !== undefined)
        return { symbol, decimals, evidence: `a transaction transfers the same amount of ${transfer.address}` }
    }
    const value = (transaction as { value?: unknown } | null | undefined)?.value
    if (
      typeof value === 'string' &&
      /^0x[0-9a-f]+$/i.test(value) &&
      BigInt(value) > 0n &&
      BigInt(value) === BigInt(wanted)
    )
      return { ...bnb, evidence: 'a transaction pays the same amount of BNB' }
  }
  return undefined
}

/** Reads name, symbol and decimals of a token; those that it does not state, or in a form that cannot be shown, are `undefined`. */
export async function readToken({ request }: Pick<Nodes, 'request'>, address: Address) {
  const [name, symbol, decimals] = await Promise.all(
    (['name', 'symbol', 'decimals'] as const).map((functionName) =>
      request({
        method: 'eth_call',
        params: [{ to: address, data: encodeFunctionData({ abi: erc20Abi, functionName }) }, 'latest'],
      }).catch(() => undefined),
    ),
  )
  const words = wordsOf(decimals)
  const count = words.length === 1 ? Number(words[0]) : undefined
  return {
    name: toText(name),
    symbol: toText(symbol),
    decimals: count !== undefined && count <= 36 ? count : undefined,
  }
}

/** Reads a text, or 32 bytes of text as some old tokens return. Control characters are left out. */
function toText(data: unknown): string | undefined {
  const words = wordsOf(data)
  const length = Number(words[1] ?? 0)
  const isText = words.length >= 3 && Number(words[0]) === 32 && length > 0 && length <= 200
  const bytes: Hex = isText
    ? `0x${words
        .slice(2)
        .map((word) => word.slice(2))
        .join('')
        .slice(0, length * 2)}`
    : (words[0] ?? pad('0x'))
  if (!isText && words.length !== 1) return undefined
  const text = hexToString(bytes)
    .replaceAll(/[\p{C}\uFFFD]/gu, '')
    .trim()
    .slice(0, 60)
  return text === '' ? undefined : text
}
