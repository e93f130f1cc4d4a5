/**
 * `pnpm bench:live [--binds 50] [--json]`: measures, on demo data, the time from the receipt of a bind to the API's
 * answer with the new member.
 */
import { loadavg } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { createReferralClient } from '@lineage/referral-api'
import { numberToHex } from 'viem'
import { encodeRecord } from '../demo-chain/contract.ts'
import { demoAccounts, ownerAddress } from '../demo-chain/demoAccounts.ts'
import { createRpc } from '../demo-chain/rpc.ts'
import { printTable, readNumber, short } from './figures.ts'
import { startProduct } from './startProduct.ts'

/** Milliseconds between two requests, the least that the rate limit allows. */
const step = 17
/** Most milliseconds between binds, which come at any moment of the indexer's polling interval. */
const mostPause = 700

const binds = readNumber('binds', 50)
const product = await startProduct()
const rpc = createRpc(product.nodeUrl)
const api = createReferralClient({ baseUrl: `${product.url}/v1` })
const { items } = await api.communities()
const [community] = items
const [leader] = demoAccounts
if (!community || !leader) throw new Error('The demo has no community.')

const before = loadavg()
const times: number[] = []
for (let index = 0; index < binds; index++) {
  await delay(Math.random() * mostPause)
  const member = numberToHex(BigInt(index) + 0xbe_0000_0000n, { size: 20 })
  const data = encodeRecord([{ kind: 'bound', member, referrer: leader.address }])
  const transaction = { from: ownerAddress, to: community.contract, data, gas: numberToHex(500_000) }
  const hash = await rpc('eth_sendTransaction', [transaction])
  while (!(await rpc('eth_getTransactionReceipt', [hash]))) await delay(1)
  const mined = performance.now()
  while ((await fetch(`${product.url}/v1/communities/${community.id}/members/${member}`)).status !== 200)
    await delay(step)
  times.push(performance.now() - mined)
}
await product.stop()

times.sort((left, right) => left - right)
const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] as number
const figures = { p50: at(0.5), p95: at(0.95), max: at(1) }
const load = [before[0], loadavg()[0]]
if (process.argv.includes('--json')) console.log(JSON.stringify({ binds, ...figures, load }))
else {
  printTable([
    [`${binds} binds, ms`, 'p50', 'p95', 'max'],
    ['from the receipt to the answer', short(figures.p50), short(figures.p95), short(figures.max)],
  ])
  console.log(`\nAt most 1000 ms. The machine's load: ${load[0]?.toFixed(1)} before, ${load[1]?.toFixed(1)} after.`)
}
