import { openPool } from '@lineage/database'
import { findOperation } from '@lineage/referral-api/operations'
import { type LookupId, lookupRoutes } from '@lineage/referral-api/routes'
import { vi } from 'vitest'
import { waitLimit } from '../../../../../scripts/vitest/limits.ts'
import { createFollower } from '../../follow/createFollower.ts'
import { createStatus } from '../../follow/createStatus.ts'
import { createCommunities, createTestTables } from '../../follow/test/tables.ts'
import { createLookups, toProblem } from '../answerLookup.ts'
import { readText } from '../fileStream.ts'
import type { LookupAnswer } from '../Index.ts'
import { parseLookup } from '../parseLookup.ts'

/** An answer, with its JSON as `body`. */
export type Asked = {
  status: number
  type: string
  text: string
  body: ReturnType<JSON['parse']>
  answer: LookupAnswer | undefined
}

/** Serves lookups from tables of their own, in this thread. */
export async function startLookups(url: string, ...ids: string[]) {
  const communities = createCommunities(...ids)
  const tables = await createTestTables(url, communities)
  const logged: string[] = []
  const log = (message: string) => void logged.push(message)
  const pool = openPool({ url })
  const follower = createFollower({ communities, databaseUrl: url, log, onChange: () => undefined })
  const state = createStatus({ follower, maxAge: 0 })
  const lookups = createLookups({ communities, follower, state, pool, log })

  /** Asks for a path below `/v1`, as a server does. */
  async function ask(target: string, { body, atLeast = 0 }: { body?: unknown; atLeast?: number } = {}): Promise<Asked> {
    const { pathname, searchParams } = new URL(`http://localhost${target}`)
    const { id, path } = findOperation(body === undefined ? 'GET' : 'POST', pathname) ?? {}
    if (!id || !path || !(id in lookupRoutes)) throw new Error(`No lookup: ${target}`)
    try {
      const request = parseLookup(id as LookupId, {
        path: valuesOf(path, pathname),
        query: searchParams,
        body,
        atLeast,
      })
      const answer = await lookups.lookUp(request, { visitor: '127.0.0.1', signal: new AbortController().signal })
      const text = await readText(answer.body)
      return { status: 200, type: answer.headers['content-type'] ?? '', text, body: parse(text), answer }
    } catch (error) {
      const response = toProblem(error, log).toResponse()
      const { status, headers } = response
      const text = await response.text()
      return { status, type: headers.get('content-type') ?? '', text, body: parse(text), answer: undefined }
    }
  }

  return {
    tables,
    follower,
    lookups,
    logged,
    pool,
    state,
    ask,
    /** Waits until a community is served at a block. */
    reach: (block: number, id = ids[0] ?? '') =>
      vi.waitUntil(() => follower.view(id)?.asOf.block === block, { timeout: waitLimit }),
    async close() {
      await follower.close()
      await pool.end()
      await tables.close()
    },
  }
}

/** Returns the values of a path's parameters. */
function valuesOf(path: string, pathname: string): { community?: string; address?: string } {
  const parts = pathname.split('/')
  const values = path.split('/').map((name, index) => [name.replace(/[{}]/g, ''), decode(parts[index] ?? '')] as const)
  return Object.fromEntries(values.filter(([name]) => path.includes(`{${name}}`)))
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function parse(text: string): Asked['body'] {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
