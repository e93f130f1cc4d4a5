import { ponder } from 'ponder:registry'
import * as schema from 'ponder:schema'
import type { Virtual } from 'ponder'
import type { Address, Hex } from 'viem'
import type { Feed } from '../config/Community.ts'
import { loadConfig } from '../config/index.ts'
import { listSources } from '../config/listSources.ts'
import { sourceName } from '../config/toContracts.ts'

type LogEvent = {
  args: Record<string, unknown>
  block: { number: bigint; hash: Hex; timestamp: bigint }
  log: { logIndex: number }
  transaction: { hash: Hex }
}
type Context = Virtual.Context<
  { chains: Record<string, never>; contracts: never; accounts: never; blocks: never },
  typeof schema,
  never
>

/**
 * Ponder's registry without its types, because sources and arguments come from the configuration, which is read at
 * start.
 */
const registry = ponder as unknown as {
  on(name: string, handler: (parameters: { event: LogEvent; context: Context }) => Promise<unknown>): void
}

const { communities } = await loadConfig(process.env.LINEAGE_CONFIG)

for (const community of communities) {
  const toRow = ({ args, block, log, transaction }: LogEvent, member: string) => ({
    community: community.id,
    block: Number(block.number),
    logIndex: log.logIndex,
    blockHash: block.hash,
    timestamp: Number(block.timestamp),
    tx: transaction.hash,
    member: args[member] as Address,
  })

  const { binds, unbinds, volumes, rewards } = listSources(community)

  for (const [index, { event: abi, member, referrer }] of binds.entries())
    registry.on(`${sourceName(community, 'binds', index)}:${abi.name}`, ({ event, context }) =>
      context.db.insert(schema.bindEvent).values({
        ...toRow(event, member),
        referrer: event.args[referrer] as Address,
      }),
    )

  for (const [index, { event: abi, member }] of unbinds.entries())
    registry.on(`${sourceName(community, 'unbinds', index)}:${abi.name}`, ({ event, context }) =>
      context.db.insert(schema.bindEvent).values({ ...toRow(event, member), referrer: null }),
    )

  const toAmountRow = (event: LogEvent, { member, amount }: Feed) => ({
    ...toRow(event, member),
    amount: BigInt(event.args[amount] as bigint | number),
  })

  for (const [index, feed] of volumes.entries())
    registry.on(`${sourceName(community, 'volumes', index)}:${feed.event.name}`, ({ event, context }) =>
      context.db.insert(schema.volumeEvent).values(toAmountRow(event, feed)),
    )

  for (const [index, feed] of rewards.entries())
    registry.on(`${sourceName(community, 'rewards', index)}:${feed.event.name}`, ({ event, context }) =>
      context.db.insert(schema.rewardEvent).values({
        ...toAmountRow(event, feed),
        source: feed.from === undefined ? null : (event.args[feed.from] as Address),
      }),
    )
}
