import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Alert, Alerts, Webhook } from '@lineage/referral-api'
import { type Address, getAddress, numberToHex, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { amountsContract, type Chain, contract, startChain } from '../apps/reader/test/chain.ts'
import { startReader } from '../apps/reader/test/reader.ts'
import { startTestPostgres, type TestPostgres } from '../packages/database/src/testing.ts'
import { startServer } from './lib/startServer.ts'
import { createCleanUp } from './lib/testing.ts'

const addressOf = (index: number): Address => getAddress(numberToHex(index + 0xabc000, { size: 20 }))
const [top, watched] = [addressOf(0), addressOf(1)]
const rules = {
  directs: true,
  team: 'each',
  milestones: true,
  referrer: true,
  irregular: true,
  volumeFrom: '1000',
}

const made = createCleanUp()
let chain: Chain
let postgres: TestPostgres
let database: string
let config: string
/** The server that was started last. */
let serverUrl = ''
let receiver: Awaited<ReturnType<typeof startReceiver>>
let next = 100

/** Starts a receiver of webhooks that records its requests and can refuse them. */
async function startReceiver() {
  const got: { id: string; type: string; data: Alert }[] = []
  const state = { status: 200 }
  const server = createServer((request, response) => {
    void readAll(request).then((text) => {
      if (state.status === 200) got.push({ id: String(request.headers['webhook-id']), ...JSON.parse(text) })
      response.writeHead(state.status).end('noted')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    got,
    state,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

async function readAll(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

/** Starts a server on the database. */
async function serve() {
  const server = await startServer({
    config,
    database,
    nodes: chain.url,
    // Both servers belong to one site.
    env: { LINEAGE_ORIGIN: origin, LINEAGE_WEBHOOKS: 'any' },
  })
  made.later(() => server.kill('SIGTERM'))
  await expect.poll(() => server.statusOf('/ready'), { message: server.output() }).toBe(200)
  serverUrl = server.url
  return server
}

const origin = 'http://localhost:5999'
const signer = privateKeyToAccount(generatePrivateKey())

/** Signs in at a server, and returns a function that sends requests as the account. */
async function openAccount(url: string) {
  const nonced = await fetch(`${url}/v1/auth/nonce`)
  const { nonce } = (await nonced.json()) as { nonce: string }
  const message = createSiweMessage({
    version: '1',
    domain: new URL(origin).host,
    uri: origin,
    chainId: 56,
    nonce,
    address: signer.address,
  })
  const cookieOf = ({ headers }: Response) => headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const headers = { 'content-type': 'application/json', origin }
  const verified = await fetch(`${url}/v1/auth/verify`, {
    method: 'POST',
    headers: { ...headers, cookie: cookieOf(nonced) },
    body: JSON.stringify({ message, signature: await signer.signMessage({ message }) }),
  })
  const cookie = cookieOf(verified)
  return async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: { ...headers, cookie },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (response.status === 204 ? undefined : await response.json()) as Answer
  }
}

const isUp = async (path: string) => (await fetch(`${serverUrl}/v1${path}`)).status === 200
const untilMember = (address: Address) => expect.poll(() => isUp(`/communities/demo/members/${address}`)).toBe(true)

/** Binds a new address to a referrer. */
async function bindNew(referrer: Address): Promise<Address> {
  const member = addressOf(next++)
  await chain.bind([member, referrer])
  return member
}

beforeAll(async () => {
  config = join(made.folder(), 'lineage.json')
  const community = {
    id: 'demo',
    name: 'Demo',
    chainId: 56,
    address: contract,
    startBlock: 1,
    event: 'event Bound(address indexed member, address indexed referrer)',
    member: 'member',
    referrer: 'referrer',
    volumes: {
      address: amountsContract,
      event: 'event VolumeAdded(address indexed member, uint256 amount)',
      member: 'member',
      amount: 'amount',
    },
    tokens: { volume: { symbol: 'USDT', decimals: 18 } },
  }
  writeFileSync(config, JSON.stringify({ communities: [community] }))
  postgres = await startTestPostgres()
  database = await postgres.createDatabase()
  chain = await startChain()
  await chain.bind([top, zeroAddress], [watched, top])
  // The team of `watched` has 98 members before it is watched.
  await chain.bind(...Array.from({ length: 98 }, (): [Address, Address] => [addressOf(next++), watched]))
  const reader = await startReader({ config, url: chain.url, database })
  made.later(() => reader.kill('SIGTERM'))
  receiver = await startReceiver()
})

afterAll(async () => {
  await made.cleanUp()
  await receiver?.close()
  await chain?.stop()
  await postgres?.stop()
})

test('behavior: two servers, a killed one and reorganisations of 30 blocks give each event one id, delivered and taken back', async () => {
  const [one, two] = [await serve(), await serve()]
  const account = await openAccount(two.url)
  await account('PUT', `/alerts/watches/demo/${watched}`, rules)
  const { id: webhook } = await account<Webhook>('POST', '/alerts/webhooks', { url: receiver.url })
  const list = async () => (await account<Alerts>('GET', '/alerts?limit=200')).items
  const kinds = async () => (await list()).map(({ kind, member, block }) => [kind, member, block])

  // One alert of each kind; the second direct is the hundredth member of the team.
  const direct = await bindNew(watched)
  const indirect = await bindNew(direct)
  await chain.bind([direct, indirect])
  await chain.addVolume([indirect, 999n], [indirect, 1_000n])
  await untilMember(indirect)
  await expect
    .poll(async () => (await kinds()).map(([kind]) => kind))
    .toEqual(['volume', 'milestone', 'team', 'direct'])
  const first = await list()
  expect(first.map(({ member, members, amount }) => [member, members, amount])).toEqual([
    [indirect, null, '1000'],
    [indirect, 100, null],
    [indirect, null, null],
    [direct, null, null],
  ])
  await expect.poll(() => receiver.got.map(({ id }) => id)).toEqual(first.map(({ id }) => id).reverse())

  // The alert is refused and stored, then the servers are killed before it is delivered.
  receiver.state.status = 500
  const late = await bindNew(watched)
  await expect.poll(async () => (await list())[0]?.member).toBe(late)
  await Promise.all([one.kill('SIGKILL'), two.kill('SIGKILL')])
  receiver.state.status = 200
  const three = await serve()
  const again = await openAccount(three.url)
  const listAgain = async () => (await again<Alerts>('GET', '/alerts?limit=200')).items
  await expect.poll(() => receiver.got.at(-1)?.data.member).toBe(late)

  // The last thirty blocks are replaced: their alerts are retracted, and the new blocks raise alerts.
  const fork = await chain.client.snapshot()
  const gone = [await bindNew(watched), await bindNew(watched)]
  await chain.client.mine({ blocks: 28 })
  await untilMember(gone[1] as Address)
  await expect.poll(async () => (await listAgain())[0]?.member).toBe(gone[1])
  await chain.client.revert({ id: fork })
  const replaced = await bindNew(watched)
  await chain.client.mine({ blocks: 31 })
  await untilMember(replaced)
  await expect.poll(async () => (await listAgain()).filter(({ kind }) => kind === 'retracted').length).toBe(2)
  await expect.poll(async () => (await listAgain()).some(({ member }) => member === replaced)).toBe(true)
  const after = await listAgain()
  const takenBack = after.filter(({ isRetracted }) => isRetracted).map(({ member }) => member)
  expect(takenBack).toEqual(gone.toReversed())
  await expect.poll(() => new Set(receiver.got.map(({ id }) => id))).toEqual(new Set(after.map(({ id }) => id)))
  const ids = after.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(webhook).toMatch(/^[\w-]{12}$/)
})
