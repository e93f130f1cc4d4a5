import { numberToHex } from 'viem'
import type { Case } from './Inspection.ts'

/** Concurrent requests of the reader. */
const concurrency = 8

/** Adds what reading the history costs with these nodes, as docs/history.md computes it. */
export async function noteCost(known: Case, mode: 'events' | 'asked'): Promise<void> {
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
