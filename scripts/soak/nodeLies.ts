import { lies } from '../../apps/reader/test/lies.ts'
import type { Step } from './runSteps.ts'
import type { Lie } from './serverStatus.ts'
import type { Cluster } from './startCluster.ts'

/** Position of the node that lies, and the number of nodes. */
const liars = [
  [0, 1],
  [0, 2],
  [1, 3],
  [1, 2],
  [0, 3],
  [2, 3],
] as const
/** Number of lies in a row for which the nodes stay the same, since another number restarts the readers. */
const inRow = 9

/** Each way of lying of each node, with one, two and three nodes: `pnpm soak --nodes --minutes 60`. Notes them in `told`. */
export function createNodeLies(told: Lie[]): readonly Step[] {
  let used = 2
  /** Lets the readers use a number of nodes, of which they may lie from their start on. */
  async function start({ readers }: Cluster, count: number): Promise<void> {
    used = count
    await Promise.all(readers.map((reader) => reader.replace(reader.launch({ nodes: count }))))
  }
  return liars.flatMap((_, pass) =>
    Object.entries(lies).map(([name, lie], index): Step => {
      // In each pass all lies are told, some with each number of nodes.
      const [position, count] = liars[(pass + Math.floor(index / inRow)) % liars.length] as (typeof liars)[number]
      const isAtStart = (index + position) % 3 === 0
      const isLong = (index + position) % 10 === 5
      let lieNow: Lie | undefined
      const headOf = async ({ chain }: Cluster) => Number(await chain.client.getBlockNumber({ cacheTime: 0 }))
      const when = isAtStart ? ' from the start of the readers on' : ''
      return {
        name: `node ${position + 1} of ${count} ${name}${when}`,
        begin: async (cluster) => {
          if (used !== count) await start(cluster, count)
          lieNow = { name, node: position + 1, nodes: count, from: await headOf(cluster), to: Number.POSITIVE_INFINITY }
          told.push(lieNow)
          cluster.nodes[position]?.behave(lie())
          if (isAtStart) await start(cluster, count)
        },
        end: async (cluster) => {
          cluster.nodes[position]?.behave(() => undefined)
          if (lieNow) lieNow.to = await headOf(cluster)
        },
        seconds: isLong ? 45 : isAtStart ? 7 : 4,
        lost: 'some',
      }
    }),
  )
}
