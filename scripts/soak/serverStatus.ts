import { setTimeout as delay } from 'node:timers/promises'
import type { Problem, Status } from '@lineage/referral-api'

/** A fault of a node, and the blocks that were new meanwhile. */
export type Lie = { name: string; node: number; nodes: number; from: number; to: number }

type Servers = { servers: readonly { url: string }[] }

/** Blocks that a current server may be behind. */
const slack = 5

/** Returns whether all servers are ready, have the newest blocks, and no longer say what was wrong. */
export async function areCurrent({ servers }: Servers, block: number, said: readonly string[] = []) {
  const all = await Promise.all(
    servers.map(async ({ url }) => {
      const status = await readStatus(url)
      const isCurrent = status !== undefined && (status.asOf?.block ?? 0) >= block - slack
      return isCurrent && !(await isSaid(url, ['unready', ...said]))
    }),
  )
  return all.every(Boolean)
}

async function readStatus(url: string): Promise<Status | undefined> {
  return (await readJson(`${url}/v1/status`))?.body as Status | undefined
}

/** Returns whether `/v1/status` or `/v1/ready` of a server reports one of the codes. */
export async function isSaid(url: string, codes: readonly string[]): Promise<boolean> {
  const [ready, status] = await Promise.all([readJson(`${url}/v1/ready`), readStatus(url)])
  if (codes.includes('unready') && ready?.status !== 200) return true
  const { reasons = [] } = (ready?.body ?? {}) as Partial<Problem>
  const said = [...reasons, ...(status?.reasons ?? [])].map(({ code }): string => code)
  return [...said, ...(status?.warnings ?? []).map(({ kind }) => kind)].some((code) => codes.includes(code))
}

/** Returns whether `/v1/status` says that blocks up to this one are not confirmed, because of a node that lied of them. */
export async function areBlocksSaid(url: string, lies: readonly Lie[], block: number): Promise<boolean> {
  const { warnings = [] } = (await readStatus(url)) ?? {}
  return warnings.some(
    ({ kind, blocks, message }) =>
      kind === 'blocks_unconfirmed' &&
      lies.some(
        ({ node, from, to }) =>
          message.includes(`node ${node} (`) &&
          blocks !== undefined &&
          blocks.from <= Math.min(block, to) &&
          blocks.to >= from,
      ),
  )
}

async function readJson(url: string) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    return { status: response.status, body: (await response.json()) as unknown }
  } catch {
    return undefined
  }
}

/** Waits until a condition holds, at most this many milliseconds. Returns whether it does. */
export async function waitUntil(condition: () => boolean | Promise<boolean>, limit: number): Promise<boolean> {
  const end = performance.now() + limit
  while (!(await condition())) {
    if (performance.now() > end) return false
    await delay(100)
  }
  return true
}
