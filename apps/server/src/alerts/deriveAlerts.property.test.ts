import type { Address, WatchRules } from '@lineage/referral-api'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase } from '../../test/serve.ts'
import { type Accounts, openAccounts } from '../accounts/openAccounts.ts'
import { createDatabase as openDatabase } from '../database/database.ts'
import type { WatchedEvent, WatchedEvents } from '../lookups/findWatchedEvents.ts'
import { createDerive } from './createAlerts.ts'
import { createDeriveStore, type DeriveStore } from './deriveStore.ts'

let accounts: Accounts
let store: DeriveStore
beforeAll(async () => {
  accounts = openAccounts(await createDatabase())
  store = createDeriveStore(openDatabase(accounts.pool))
})
afterAll(() => accounts.close())

const [account, other, watched, second] = [1, 2, 3, 4].map(
  (index) => `0x000000000000000000000000000000000000000${index}`,
) as [Address, Address, Address, Address]
const rules: WatchRules = {
  directs: true,
  team: 'off',
  milestones: true,
  referrer: false,
  irregular: false,
  volumeFrom: '5',
}

type Block = { number: number; hash: string; events: WatchedEvent[] }
type MadeEvent = { of: Address; kind: 'bind' | 'volume' | 'milestone'; amount: number }

/** Creates a chain that can be reorganised down to its final block. */
function createChain() {
  let made = 0
  let finalizedBlock = 0
  const blocks: Block[] = [{ number: 0, hash: 'genesis', events: [] }]
  const head = () => (blocks.at(-1) as Block).number
  return {
    head,
    blocks,
    mine(events: readonly MadeEvent[]): void {
      const number = head() + 1
      const hash = `0x${String(++made).padStart(64, '0')}`
      blocks.push({
        number,
        hash,
        events: events.map((event, logIndex) => toEvent(event, { block: number, hash, logIndex })),
      })
    },
    reorganise(depth: number): void {
      blocks.length = Math.max(finalizedBlock + 1, blocks.length - depth)
    },
    finalize(distance: number): void {
      finalizedBlock = Math.max(finalizedBlock, head() - distance)
    },
    /** Answers like an index: the first final blocks, at most two, or else those that are not final. */
    read(after: number, lag: number): WatchedEvents {
      const block = Math.max(finalizedBlock, head() - lag)
      const upTo = after < finalizedBlock ? Math.min(after + 2, finalizedBlock) : block
      const items = blocks.flatMap(({ number, events }) => (number > after && number <= upTo ? events : []))
      return { asOf: { block, timestamp: block, finalizedBlock }, upTo, items, heals: { index: 'a', number: 0 } }
    },
  }
}

function toEvent({ of, kind, amount }: MadeEvent, at: { block: number; hash: string; logIndex: number }): WatchedEvent {
  const base = { ...at, timestamp: at.block, member: other }
  const one = { address: of.toLowerCase(), as: 'referrer' as const, reached: kind === 'milestone' ? 100 : null }
  if (kind === 'volume') return { ...base, kind, amount: String(amount), involved: [{ ...one, as: 'team' }] }
  return { ...base, kind: 'bind', referrer: of, status: 'bound', from: null, to: of, isUndated: false, involved: [one] }
}

/** Returns the alerts that an account should get for the chain as it is. */
function expected(
  { blocks }: ReturnType<typeof createChain>,
  address: Address,
  { since, upTo }: { since: number; upTo: number },
) {
  return blocks
    .filter(({ number }) => number > since && number <= upTo)
    .flatMap(({ events }) => events)
    .filter(({ involved }) => involved.some((one) => one.address === address.toLowerCase()))
    .flatMap((event) => {
      const key = `${event.hash}-${event.logIndex}`
      if (event.kind === 'volume') return BigInt(event.amount) >= 5n ? [`volume ${key}`] : []
      return [`direct ${key}`, ...(event.involved[0]?.reached ? [`milestone ${key}`] : [])]
    })
    .sort()
}

const madeEvent = fc.record({
  of: fc.constantFrom(watched, second),
  kind: fc.constantFrom('bind' as const, 'volume' as const, 'milestone' as const),
  amount: fc.nat(9),
})
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('mine' as const), events: fc.array(madeEvent, { maxLength: 3 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('reorganise' as const), depth: fc.integer({ min: 1, max: 30 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('finalize' as const), distance: fc.nat(6) }) },
  // `derive` is `lag` blocks behind the chain; `together` runs two at once.
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('derive' as const), lag: fc.constantFrom(0, 0, 2) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('together' as const) }) },
)

test('property: alerts without the retracted ones equal those of a naive reader of the chain, each once', async () => {
  let runs = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const community = `run-${++runs}`
      const chain = createChain()
      chain.mine([{ of: watched, kind: 'bind', amount: 0 }])
      const since = chain.head()
      for (const [who, address] of [
        [account, watched],
        [account, second],
        [other, watched],
      ] as const)
        await accounts.alerts.saveWatch(
          who,
          { community, address, rules, updatedAt: 0 },
          { block: since, finalizedBlock: 0 },
        )

      async function derive(lag: number): Promise<void> {
        const derive = createDerive({
          store,
          sendJobs: async () => undefined,
          onStored: () => undefined,
          readEvents: async (_, { after }) => chain.read(after ?? 0, lag),
        })
        while ((await derive(community)) === 'behind');
      }
      async function check(upTo: number): Promise<void> {
        for (const [who, address] of [
          [account, watched],
          [account, second],
          [other, watched],
        ] as const) {
          const all = (await accounts.alerts.listAlerts(who, { before: Number.MAX_SAFE_INTEGER, limit: 5_000 })).filter(
            (alert) => alert.community === community && alert.address === address,
          )
          const onChain = all.filter(
            (alert) => alert.kind !== 'retracted' && !alert.isRetracted && (alert.block ?? 0) <= upTo,
          )
          const keys = onChain.map(({ kind, hash, logIndex }) => `${kind} ${hash}-${logIndex}`)
          expect(keys.sort()).toEqual(expected(chain, address, { since, upTo }))
          const taken = all.filter(({ isRetracted }) => isRetracted).map(({ id }) => id)
          const retractions = all.filter(({ kind }) => kind === 'retracted').map(({ retracts }) => retracts)
          expect(retractions.sort()).toEqual(taken.sort())
        }
      }

      for (const one of steps) {
        if (one.do === 'mine') chain.mine(one.events)
        if (one.do === 'reorganise') chain.reorganise(one.depth)
        if (one.do === 'finalize') chain.finalize(one.distance)
        if (one.do === 'together') await Promise.all([derive(0), derive(0)])
        if (one.do === 'derive') {
          await derive(one.lag)
          if (one.lag === 0) await check(chain.head())
        }
      }
      // Let the chain grow: an index that is behind cannot know that blocks above its own are gone.
      for (let block = 0; block < 31; block++) chain.mine([])
      await derive(0)
      await check(chain.head())
    }),
    { numRuns: Number(process.env.API_RUNS ?? 12) },
  )
})
