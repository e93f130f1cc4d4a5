import { createServer, type IncomingMessage } from 'node:http'
import type { Alert, Alerts, Member } from '@lineage/referral-api'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { freePort } from '../vitest/freePort.ts'
import { type Miner, watched } from './createMiner.ts'
import { waitUntil } from './serverStatus.ts'

type Account = Awaited<ReturnType<typeof signIn>>

export type WatchAlertsParameters = {
  servers: readonly { url: string }[]
  own: string
  origin: string
  community: string
  /** Whether alerts of events that a node made up may be taken back. */
  healing?: 'none' | 'in time'
}

const rules = { directs: true, team: 'off', milestones: false, referrer: false, irregular: false, volumeFrom: null }
/** Milliseconds until the last alert must be delivered. */
const patience = 180_000

/** Watches an address as an account with a webhook. `compare` says which alerts are missing, or came twice. */
export async function watchAlerts({ servers, own, origin, community, healing = 'none' }: WatchAlertsParameters) {
  const url = String(servers[0]?.url)
  const receiver = await startReceiver(own)
  const account = await signIn(url, origin)
  await account('PUT', `/alerts/watches/${community}/${watched}`, rules)
  await account('POST', '/alerts/webhooks', { url: receiver.url })
  const { asOf } = await account<Member>('GET', `/communities/${community}/members/${watched}`)

  return {
    close: receiver.close,
    /** Compares the alerts with the direct referrals that the oracle knows. */
    async compare({ oracle, knownBlock }: Miner) {
      const expected = oracle.listDirects(watched, asOf.block, knownBlock())
      const listed = () => listAll(account)
      await waitUntil(async () => {
        const told = (await listed().catch(() => [])).filter(({ isRetracted }) => !isRetracted)
        const members = new Set(told.map(({ member }) => member))
        return expected.every((member) => members.has(member))
      }, patience)
      const alerts = await listed()
      await waitUntil(() => alerts.every(({ id }) => receiver.got.has(id)), patience)
      const isTakenBack = ({ kind, isRetracted }: Alert) =>
        healing === 'in time' && (kind === 'retracted' || isRetracted)
      const valid = alerts.filter((alert) => !isTakenBack(alert))
      const members = valid.map(({ member }) => member)
      return {
        expected: expected.length,
        wrong: [
          ...expected.filter((member) => !members.includes(member)).map((member) => `no alert of ${member}`),
          ...members
            .filter((member, index) => members.indexOf(member) < index)
            .map((member) => `two alerts of ${member}`),
          ...valid
            .filter(({ kind, member }) => kind === 'direct' && !expected.some((one) => one === member))
            .map(({ member }) => `an alert of ${member}, which is not a direct referral`),
          ...valid.filter(({ kind }) => kind !== 'direct').map(({ kind, member }) => `${kind} of ${member}`),
          ...alerts.filter(({ id }) => !receiver.got.has(id)).map(({ id }) => `alert ${id} was not delivered`),
          ...[...receiver.got.keys()]
            .filter((id) => !alerts.some((alert) => alert.id === id))
            .map((id) => `a delivery of ${id}`),
        ],
        /** Deliveries that came again, because their answer was lost. */
        repeated: [...receiver.got.values()].filter((times) => times > 1).length,
      }
    },
  }
}

async function listAll(account: Account): Promise<Alert[]> {
  const items: Alert[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Alerts = await account('GET', `/alerts?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    items.push(...page.items)
    cursor = page.nextCursor
  }
  return items
}

/** Starts a receiver of webhooks, which counts the deliveries of each id. */
async function startReceiver(own: string) {
  const got = new Map<string, number>()
  const server = createServer((request: IncomingMessage, response) => {
    request.resume().on('end', () => {
      const id = String(request.headers['webhook-id'])
      got.set(id, (got.get(id) ?? 0) + 1)
      response.writeHead(204).end()
    })
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, own, resolve))
  return { url: `http://${own}:${port}/`, got, close: () => server.close() }
}

/** Signs in as a new account. Returns a function that sends requests as it. */
async function signIn(url: string, origin: string) {
  const signer = privateKeyToAccount(generatePrivateKey())
  const nonced = await fetch(`${url}/v1/auth/nonce`)
  const { nonce } = (await nonced.json()) as { nonce: string }
  const domain = new URL(origin).host
  const { address } = signer
  const message = createSiweMessage({ version: '1', domain, uri: origin, chainId: 56, nonce, address })
  const cookieOf = ({ headers }: Response) => headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const headers = { 'content-type': 'application/json', origin }
  const verified = await fetch(`${url}/v1/auth/verify`, {
    method: 'POST',
    headers: { ...headers, cookie: cookieOf(nonced) },
    body: JSON.stringify({ message, signature: await signer.signMessage({ message }) }),
  })
  const cookie = cookieOf(verified)
  return async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
    const init = { method, headers: { ...headers, cookie }, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(`${url}/v1${path}`, init)
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (response.status === 204 ? undefined : await response.json()) as Answer
  }
}
