import { amountKinds } from '@lineage/referral-api/amounts'
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
  for (const role of amountKinds) {
    const found = known.events.find(
      ({ where, meanings }) => !where && meanings.some((meaning) => meaning.role === role),
    )
    const meaning = found?.meanings.find((one) => one.role === role)
    if (!found || !meaning || !('amount' in meaning)) continue
    const tokens = await findTokens(known, found, meaning.amount)
    const [token] = tokens
    if (!token || tokens.length > 1) {
      noteTokens(known, { role, found, member: meaning.member, amount: meaning.amount, tokens })
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

type FoundToken = Token & { evidence: string }
type Unclear = { role: string; found: FoundEvent; member: string; amount: string; tokens: readonly FoundToken[] }

/** Says why amounts are left out: no token of theirs was found, or several, whose sum would mean nothing. */
function noteTokens({ findings, doubts }: Case, { role, found, member, amount, tokens }: Unclear): void {
  const source = `"${role}s": { "event": "${found.text}", "member": "${member}", "amount": "${amount}"`
  const token = `"tokens": { "${role}": { "symbol": "…", "decimals": 18 } }`
  const isUnknown = tokens.length === 0
  const names = tokens.map(({ symbol, decimals }) => `${symbol} with ${decimals} decimals`).join(', ')
  findings.push({
    about: 'tokens',
    text: `${isUnknown ? 'unknown' : 'more than one'}: ${found.text} is left out of ${role}s`,
    evidence: isUnknown
      ? 'no transfer of the same amount is in its transactions'
      : `its amounts are in ${tokens.length} tokens: ${names}`,
    level: 'missing',
  })
  doubts.push(
    isUnknown
      ? {
          question: `Which token are the amounts of ${found.text} in?`,
          settle: `Write it beside the event: ${source} }, ${token}`,
        }
      : {
          question: `Which of its tokens is to be shown for ${found.text}? Amounts of several cannot be added.`,
          settle: `If an argument names the token: ${source}, "where": { "…": "0x…" } }, ${token}`,
        },
  )
}

/** Number of transactions that are looked at for the tokens of an amount, from all of the time. */
const someTransactions = 12

/** Finds the tokens that the amounts of an event are in. */
async function findTokens({ nodes }: Case, event: FoundEvent, amount: string): Promise<FoundToken[]> {
  const step = Math.max(event.logs.length / someTransactions, 1)
  const places = Array.from({ length: Math.min(someTransactions, event.logs.length) }, (_, at) => Math.floor(at * step))
  const found = new Map<string, FoundToken>()
  for (const place of places) {
    const token = await findToken(nodes, event.logs[place] as HistoryLog, event, amount)
    if (token && !found.has(token.key)) found.set(token.key, token)
  }
  return [...found.values()]
}

/** Finds the token of an amount by a transfer, or a payment of BNB, in the transaction of its log. `key` is its address. */
async function findToken(
  nodes: Case['nodes'],
  log: HistoryLog,
  event: FoundEvent,
  amount: string,
): Promise<(FoundToken & { key: string }) | undefined> {
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
    const evidence = `a transaction transfers the same amount of ${transfer.address}`
    if (symbol !== undefined && decimals !== undefined) return { key: transfer.address, symbol, decimals, evidence }
  }
  const value = (transaction as { value?: unknown } | null | undefined)?.value
  const paid = typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value) ? BigInt(value) : 0n
  if (paid > 0n && paid === BigInt(wanted))
    return { key: 'BNB', ...bnb, evidence: 'a transaction pays the same amount of BNB' }
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
