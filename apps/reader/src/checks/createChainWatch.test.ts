import { expect, test } from 'vitest'
import type { KnownBlock } from '../../../knownBlocks.ts'
import { createChainWatch } from './createChainWatch.ts'

/** Creates a chain whose blocks above a height belong to a fork, and a store. */
function createWorld() {
  const world = {
    final: 100 as number | undefined,
    fork: { above: Number.POSITIVE_INFINITY, name: 'a' },
    lowest: 0,
    saved: {} as Record<string, KnownBlock>,
    logged: [] as string[],
    create: () =>
      createChainWatch({
        startBlock: 5,
        finalizedBlock: () => world.final,
        readHash: async (block) => {
          if (block < world.lowest) return undefined
          return `0x${block}${block > world.fork.above ? world.fork.name : ''}`
        },
        store: {
          load: async () => Object.values(world.saved).toSorted((left, right) => left.block - right.block),
          save: async (blocks) => {
            world.saved = blocks
          },
        },
        log: (message) => world.logged.push(message),
      }),
  }
  return world
}

test('behavior: notes the first and the newest final block', async () => {
  const world = createWorld()
  const watch = world.create()
  await watch.run()
  world.final = 130
  await watch.run()
  expect(world.saved).toEqual({ first: { block: 5, hash: '0x5' }, final: { block: 130, hash: '0x130' } })
  expect(watch.warnings()).toEqual([])
})

test('behavior: a node without the first block', async () => {
  const world = createWorld()
  world.lowest = 50
  await world.create().run()
  expect(world.saved.first).toEqual({ block: 100, hash: '0x100' })
})

test.each([
  ['a fork below the final block', 80, 'The chain was reorganised below block 100'],
  ['another chain', 0, 'The nodes serve another chain than the one that the index was read from: block 5 differs.'],
])('behavior: %s is reported at the second look, and never noted', async (_, above, words) => {
  const world = createWorld()
  const watch = world.create()
  await watch.run()
  const { saved } = world
  Object.assign(world.fork, { above })
  world.final = 140
  await watch.run()
  expect(watch.replaced()).toBeUndefined()
  await watch.run()
  expect(watch.replaced()).toContain(words)
  expect(watch.warnings()).toMatchObject([
    { kind: 'chain_replaced', message: expect.stringContaining('start.ts reread') },
  ])
  await watch.run()
  expect(world.logged).toHaveLength(1)
  expect(world.saved).toBe(saved)

  const afterRestart = world.create()
  await afterRestart.run()
  await afterRestart.run()
  expect(afterRestart.replaced()).toContain(words)
  world.fork.above = Number.POSITIVE_INFINITY
  await afterRestart.run()
  expect(afterRestart.replaced()).toBeUndefined()
})

test('behavior: a fork above the final block is no difference', async () => {
  const world = createWorld()
  const watch = world.create()
  await watch.run()
  world.fork = { above: 100, name: 'b' }
  world.final = 130
  await watch.run()
  await watch.run()
  expect(watch.replaced()).toBeUndefined()
  expect(world.saved.final?.hash).toBe('0x130b')
})
