import { type ConfigError, parseConfig } from '@lineage/communities'
import { type Address, getAddress, numberToHex } from 'viem'
import type { Nodes } from '../nodes/createNodes.ts'
import { findAmounts, readToken } from './amounts.ts'
import { chooseSource } from './chooseSource.ts'
import { findWays, listSlots } from './findWays.ts'
import { findCallers, findPayments, gatherPeople } from './gatherPeople.ts'
import type { Case, Entry, Inspection, InspectOptions } from './Inspection.ts'
import { type Judgement, judgeWays, otherSelectors } from './judgeWays.ts'
import { isAnonymous, matchEvents } from './matchEvents.ts'
import { readCode } from './readCode.ts'
import { findStart, type Sample, sampleLogs } from './sampleLogs.ts'

/** Number of requests for logs that an inspection takes at most. */
const logRequests = 60
/** Milliseconds for logs. */
const logPatience = 60_000
/** Number of logs that show how a contract works. */
const enoughLogs = 3_000
/** Number of members from which no others are looked for. */
const enoughMembers = 8

/**
 * Finds out how a contract binds members to referrers, from its address and a node, and writes the configuration for it.
 * Each finding has its evidence, and what is uncertain is a doubt with the command that settles it.
 *
 * @throws {NodeError} if no node answers
 */
export async function inspectContract(options: InspectOptions): Promise<Inspection> {
  const { nodes } = options
  const address = getAddress(options.address)
  const head = (await nodes.newest()).number
  const code = await readCode(nodes, address)
  if (!code) return withoutCode(address, await findOldLogs(nodes, address, head))
  const limits = { requests: logRequests, logs: enoughLogs, until: performance.now() + logPatience }
  const { start, sample } = await findStart({ nodes, address, head, limits }, options.startBlock)
  const found = {
    ...{ options, nodes, address, head, code, start, sample, findings: [], doubts: [] },
    events: matchEvents(sample.logs, options.events ?? []),
    people: { members: [], together: new Map(), senders: new Map() },
  }
  const known: Case = found
  noteCode(known)
  noteStart(known)
  noteAnonymous(known)
  await addPeople(known)
  const judgements = await judge(known)
  const source = await chooseSource(known, judgements)
  if (!source) noteNoCommunity(known)
  const amounts = source ? await findAmounts(known) : {}
  const community = source && { ...(await describe(known)), startBlock: start.block, ...source, ...amounts }
  await noteCost(known, community && 'candidates' in community ? 'asked' : 'events')
  return finish(known, community)
}

/** Looks for logs of an address without code, in few requests: mostly it is a wrong one. */
const findOldLogs = (nodes: Nodes, address: Address, head: number) =>
  sampleLogs(
    nodes,
    { address },
    { fromBlock: 0, toBlock: head },
    { requests: 12, logs: 1, until: performance.now() + 10_000 },
  )

/** Says that there is no contract, or that it was destroyed if it has emitted logs. */
function withoutCode(address: Address, { logs, blocks }: Sample): Inspection {
  const level = 'missing'
  const text = `there is no contract at ${address}`
  const findings: Inspection['findings'] = [{ about: 'code', text, evidence: 'the node returns no code', level }]
  const settle = 'Open the address on a block explorer: it shows "Contract" there.'
  const question = 'Is the address right, and is the contract on BNB Smart Chain?'
  if (logs.length === 0) return { community: null, findings, doubts: [{ question, settle }] }
  const evidence = `${logs.length} logs in ${blocks} blocks`
  findings.push({ about: 'logs', text: 'it emitted logs, so it was a contract', evidence, level: 'found' })
  return {
    community: null,
    findings,
    doubts: [
      {
        question: 'Was it destroyed? Then no view answers, and only its events tell of its members.',
        settle: 'Find its bind event on a block explorer, and write the entry by hand, without "parent".',
      },
    ],
  }
}

function noteCode({ code, findings, doubts }: Case): void {
  for (const { address, via, bytes } of code.parts.slice(1))
    findings.push({
      about: 'code',
      text: `runs the code of ${address}`,
      evidence: `${via}, ${bytes} bytes`,
      level: 'found',
    })
  const views = code.functions.filter(({ kind }) => kind === 'view').length
  const [own] = code.parts
  findings.push({
    about: 'code',
    text: `${code.functions.length} functions, ${views} of them views`,
    evidence: `${own?.bytes ?? 0} bytes of code at the address`,
    level: code.functions.length > 0 ? 'found' : 'missing',
  })
  if (code.functions.length === 0)
    doubts.push({
      question: 'No function was found in the code. Is it a proxy whose implementation is hidden?',
      settle: 'Name the view that returns the referrer: --view "function name(address) view returns (address)"',
    })
}

function noteStart({ start, head, findings, doubts }: Case): void {
  const { block, level, evidence } = start
  findings.push({
    about: 'startBlock',
    text: level === 'missing' ? `unknown; ${block} is written` : String(block),
    evidence,
    level,
  })
  if (level === 'found') return
  doubts.push({
    question: `In which block was the contract deployed? Binds before block ${Math.min(block, head)} would be missing.`,
    settle: 'A block explorer shows the transaction under "Contract Creator". Then: --start-block NUMBER',
  })
}

function noteAnonymous({ sample: { logs }, findings }: Case): void {
  const count = logs.filter(isAnonymous).length
  if (count === 0) return
  findings.push({
    about: 'logs',
    text: 'logs of anonymous events are left out: nothing tells them from others',
    evidence: `${count} of ${logs.length} logs have no topic for the name of an event`,
    level: 'missing',
  })
}

/** Looks for people: in the contract's logs, then in payments with it, then among the senders of transactions to it. */
async function addPeople(known: Case): Promise<void> {
  const { nodes, address, start, head, options } = known
  const range = { fromBlock: start.block, toBlock: head }
  const limits = { requests: 12, logs: 1_000, until: performance.now() + 20_000 }
  const given = options.members ?? []
  known.people = await gatherPeople(known, known.events, given, new Map())
  if (known.people.members.length >= enoughMembers) return
  known.events.push(...(await findPayments({ nodes, address, range, limits })))
  known.people = await gatherPeople(known, known.events, given, known.people.senders)
  if (known.people.members.length >= enoughMembers) return
  const callers = await findCallers({ nodes, address, range, limits })
  known.people = await gatherPeople(known, known.events, given, new Map([...known.people.senders, ...callers]))
}

/** Asks the contract in every way that may lead to referrers. */
async function judge(known: Case): Promise<Judgement[]> {
  const { nodes, address, head, code, people, options } = known
  const parameters = { nodes, address, block: head, members: people.members, together: people.together }
  if (options.parent) return judgeWays(parameters, [{ config: options.parent, rank: 0, selector: undefined }])
  if (people.members.length === 0) return []
  const judged = await judgeWays(parameters, await findWays({ nodes, address, block: head }, code, people.members))
  if (judged.some(({ refused }) => refused === undefined)) return judged
  const mappings = code.mappings.filter(({ readers }) => !readers.some((one) => otherSelectors.includes(one)))
  return [...(await judgeWays(parameters, listSlots(mappings))), ...judged]
}

function noteNoCommunity({ findings, doubts, people }: Case): void {
  findings.push({
    about: 'binds',
    text: 'this is no referral contract, as far as its code, its logs and its answers show',
    evidence: `nothing links any of ${people.members.length} addresses to another one as its referrer`,
    level: 'missing',
  })
  doubts.push({
    question: 'Does it bind members all the same?',
    settle:
      'Name what shows it: --view "function name(address) view returns (address)", or --event "event Name(address indexed member, address indexed referrer)". Where events name lists, ids or codes in place of members or referrers, only a view leads to them',
  })
}

async function describe({ nodes, address }: Case): Promise<object> {
  const { symbol, name } = await readToken(nodes, address)
  const short = address.slice(2, 10).toLowerCase()
  const id = (symbol ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 24)
  return {
    id: id ? `${id}-${short}`.slice(0, 40) : `c-${short}`,
    name: name ?? symbol ?? `${address.slice(0, 8)}…${address.slice(-4)}`,
    chainId: 56,
    address,
  }
}

/** Checks that the entry loads: what a contract says may not fit into a configuration. */
function finish({ findings, doubts, options }: Case, community: Entry | undefined): Inspection {
  if (!community) return { community: null, findings, doubts }
  try {
    parseConfig({ communities: [community] })
    return { community, findings, doubts }
  } catch (error) {
    const question = `The configuration does not load: ${(error as ConfigError).message}`
    const settle = `Report it with the address ${options.address}, and write the entry by hand.`
    return { community: null, findings, doubts: [...doubts, { question, settle }] }
  }
}

/** Concurrent requests of the reader. */
const concurrency = 8

/** Adds what reading the history costs with these nodes, as docs/history.md computes it. */
async function noteCost(known: Case, mode: 'events' | 'asked'): Promise<void> {
  const { findings, doubts, start, head, sample } = known
  const blocks = head - start.block + 1
  if (sample.width === 0) {
    const text = 'the history cannot be read: no node serves logs'
    findings.push({ about: 'cost', text, evidence: 'every request of eth_getLogs was refused', level: 'missing' })
    doubts.push({ question: 'Where are the logs?', settle: 'Name a node that serves eth_getLogs: --rpc URL' })
    return
  }
  const events = Math.round((sample.logs.length / sample.blocks) * blocks)
  const places = Math.min(events, blocks)
  const calls = mode === 'events' ? 0 : start.states === 'archive' ? places : Math.ceil(places / 500)
  const ranges = Math.ceil(blocks / sample.width)
  const requests = ranges * 2 + Math.min(ranges, places) + Math.ceil(places / 100) + calls
  const { seconds, rate } = await measureRate(known)
  const minutes = Math.ceil(requests / rate / 60)
  const show = (value: number) => value.toLocaleString('en')
  findings.push({
    about: 'cost',
    text: `about ${show(requests)} requests, ${minutes < 2 ? 'less than 2' : show(minutes)} minutes, for ${show(blocks)} blocks with ${show(events)} logs`,
    evidence: `the node served ${show(sample.width)} blocks in one request, ${start.states === 'archive' ? 'has' : 'does not have'} old states, and answered ${show(Math.round(rate))} requests a second (${Math.round(seconds * 1_000)} ms each)`,
    level: sample.extent === 'all' ? 'found' : 'guess',
  })
}

/** Measures how many requests the nodes answer in a second, with as many at once as the reader sends. */
async function measureRate({ nodes, head, start }: Case): Promise<{ seconds: number; rate: number }> {
  const since = performance.now()
  const numbers = Array.from({ length: concurrency * 2 }, (_, at) => Math.max(head - 40 - at, start.block))
  const request = (number: number) =>
    nodes.request({ method: 'eth_getBlockByNumber', params: [numberToHex(number), false] }).catch(() => undefined)
  await Promise.all(numbers.slice(0, concurrency).map(request))
  await Promise.all(numbers.slice(concurrency).map(request))
  const seconds = (performance.now() - since) / 1_000
  return { seconds: seconds / 2, rate: numbers.length / Math.max(seconds, 0.001) }
}
