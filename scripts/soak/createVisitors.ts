import { setTimeout as delay } from 'node:timers/promises'
import type { Address } from 'viem'

const visitors = 8
/** Milliseconds between two lookups of a visitor. */
const pause = 50

/**
 * Creates visitors that send lookups one after the other, each to its own server first. As behind a load balancer,
 * another server is tried if one does not answer; a lookup is lost if none does.
 */
export function createVisitors(servers: readonly string[], addressOf: (index: number) => Address) {
  const paths = [
    '/communities',
    '/communities/demo/metrics',
    `/communities/demo/members/${addressOf(3)}`,
    `/communities/demo/members/${addressOf(0)}/referrals?level=all&limit=5`,
  ]
  const lost: string[] = []
  let asked = 0
  let state: 'asking' | 'ended' = 'asking'

  async function ask(path: string, visitor: number): Promise<void> {
    const failures: string[] = []
    for (let turn = 0; turn < servers.length; turn++) {
      const url = servers[(visitor + turn) % servers.length]
      const answer = await request(`${url}/v1${path}`, visitor).catch((error: Error) => ({
        status: 0,
        text: String(error.cause ?? error),
      }))
      if (answer.status === 200) return
      failures.push(`${answer.status} ${answer.text.slice(0, 200)}`)
    }
    lost.push(`${path}: ${failures.join('; ')}`)
  }

  async function visit(visitor: number): Promise<void> {
    for (let turn = 0; state === 'asking'; turn++) {
      await ask(paths[turn % paths.length] as string, visitor)
      asked++
      await delay(pause)
    }
  }
  const all = Array.from({ length: visitors }, (_, index) => visit(index))
  return {
    lost,
    asked: () => asked,
    async end(): Promise<void> {
      state = 'ended'
      await Promise.all(all)
    },
  }
}

async function request(url: string, visitor: number) {
  const headers = { 'x-forwarded-for': `203.0.113.${visitor}` }
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(20_000) })
  return { status: response.status, text: await response.text() }
}
