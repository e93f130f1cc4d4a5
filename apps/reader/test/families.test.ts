import { expect, test } from 'vitest'
import { createForest } from '../../../packages/forest/src/index.ts'
import { readParent, runFamilies } from './families.ts'

test('property: after random actions, reorganisations and kill -9, every referrer and team is that of the contract', async () => {
  const { differing, wrongBlocks, binds, communities, accounts, parents, exact } = await runFamilies({
    actions: Number(process.env.FAMILY_ACTIONS ?? 3_000),
    seed: Number(process.env.FAMILY_SEED ?? 6),
    log: console.log,
  })
  expect({ differing, wrongBlocks }).toEqual({ differing: [], wrongBlocks: [] })
  expect(exact).toBeGreaterThan(100)
  for (const { id, changes } of communities) {
    const forest = createForest({ rebind: changes === 'any' })
    for (const { community, member, other: referrer, block, logIndex, time: timestamp } of binds)
      if (community === id) forest.bind({ member, referrer, block, logIndex, timestamp })
    const above = readParent(parents, id, accounts)
    const teams = accounts.map((account) => {
      const found = forest.find(account)
      return [account, found === undefined ? 0 : forest.member(found).team]
    })
    expect([id, teams]).toEqual([id, accounts.map((account) => [account, countTeam(above, account)])])
  }
}, 600_000)

/** Counts the accounts below one. */
function countTeam(above: ReadonlyMap<string, string | null>, account: string): number {
  const isBelow = (member: string): boolean => {
    const parent = above.get(member)
    return parent === account || (parent !== null && parent !== undefined && isBelow(parent))
  }
  return [...above.keys()].filter(isBelow).length
}
