import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { afterEach, expect, test } from 'vitest'
import { createForest, createSnapshots, type Forest, type Snapshots } from '../index.ts'
import { runSnapshotJob } from './snapshotJob.ts'

const addressOf = (value: number) => `0x${(value * 2654435761).toString(16).padStart(40, '0')}`
let snapshots: Snapshots | undefined
afterEach(() => snapshots?.close())

/** Binds each number to half of it, with some volume. */
function grow(forest: Forest, from: number, to: number) {
  for (let value = from; value < to; value++) {
    const place = { block: value, logIndex: 0, timestamp: 1_700_000_000 + value * 600 }
    forest.bind({ ...place, member: addressOf(value), referrer: addressOf(value >>> 1) })
    if (value % 3 === 0) forest.addVolume({ ...place, member: addressOf(value), amount: BigInt(value) ** 9n })
  }
}

function answersOf(forest: Forest) {
  const id = forest.find(addressOf(1)) as number
  const now = 1_800_000_000
  return [
    forest.member(id),
    forest.levels(id),
    forest.growth(id, { periods: (from, to) => [from, (from + to) >>> 1], now }),
    forest.metrics({ now }),
    forest.searchPrefix('0x0000', 20),
    ...(['joined', 'team', 'volume'] as const).flatMap((sort) =>
      (['asc', 'desc'] as const).map((order) => forest.referrals(id, { level: 'all', sort, order, limit: 50 })),
    ),
  ]
}

function expectSameAsFresh(forest: Forest, size: number) {
  const fresh = createForest()
  grow(fresh, 1, size)
  expect(answersOf(forest)).toEqual(answersOf(fresh))
}

test('behavior: events and queries during a snapshot in the worker', async () => {
  snapshots = createSnapshots()
  const forest = createForest()
  grow(forest, 1, 6000)
  const taking = snapshots.refresh(forest)
  await Promise.resolve()
  grow(forest, 6000, 6500)
  expectSameAsFresh(forest, 6500)
  expect(await taking).toBe('taken')
  expectSameAsFresh(forest, 6500)
  expect(forest.isSnapshotDue).toBe(false)
  expect(await snapshots.refresh(forest)).toBe('fresh')
  grow(forest, 6500, 7000)
  expectSameAsFresh(forest, 7000)
})

test('behavior: volume added during a snapshot is in it', () => {
  const forest = createForest()
  grow(forest, 1, 6000)
  const task = forest.beginSnapshot('tree')
  const early = runSnapshotJob(task.job)
  const fresh = createForest()
  grow(fresh, 1, 6000)
  for (const each of [forest, fresh])
    for (let value = 1; value < 6000; value += 7)
      each.addVolume({
        block: 6000,
        logIndex: 0,
        timestamp: 1_710_000_000,
        member: addressOf(value),
        amount: 10n ** 20n,
      })
  expect(task.finish(early)).toBe(true)
  expect(answersOf(forest)).toEqual(answersOf(fresh))
  expect(task.finish(early)).toBe(false)
})

test('behavior: a rollback during a snapshot discards it, and the next one is taken', async () => {
  snapshots = createSnapshots()
  const forest = createForest()
  grow(forest, 1, 6000)
  const taking = snapshots.refresh(forest)
  await Promise.resolve()
  forest.rollback(5000)
  expect(await taking).toBe('discarded')
  expectSameAsFresh(forest, 5001)
  expect(await snapshots.refresh(forest)).toBe('taken')
  expectSameAsFresh(forest, 5001)
})

test('error: a worker that cannot start rejects each call and leaves the forest unchanged', async () => {
  snapshots = createSnapshots({ worker: new URL('./nowhere.js', import.meta.url) })
  const forest = createForest()
  grow(forest, 1, 3000)
  await expect(snapshots.refresh(forest)).rejects.toThrow('nowhere')
  await expect(snapshots.refresh(forest)).rejects.toThrow('nowhere')
  expectSameAsFresh(forest, 3000)
})

test('error: closing the worker rejects a snapshot under way', async () => {
  const closing = createSnapshots()
  const forest = createForest()
  grow(forest, 1, 6000)
  const taking = closing.refresh(forest)
  await Promise.resolve()
  await Promise.all([expect(taking).rejects.toThrow('ended'), closing.close()])
})

test('behavior: a bundle finds the worker beside it', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'forest-'))
  try {
    await build({
      configFile: false,
      logLevel: 'error',
      build: {
        ssr: true,
        outDir: directory,
        minify: true,
        rolldownOptions: {
          input: ['../index.ts', 'snapshotWorker.ts'].map((file) => join(import.meta.dirname, file)),
          output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', format: 'esm' },
        },
      },
    })
    const bundled = (await import(/* @vite-ignore */ pathToFileURL(join(directory, 'index.js')).href)) as {
      createForest: typeof createForest
      createSnapshots: typeof createSnapshots
    }
    snapshots = bundled.createSnapshots()
    const forest = bundled.createForest()
    grow(forest, 1, 6000)
    expect(await snapshots.refresh(forest)).toBe('taken')
    expectSameAsFresh(forest, 6000)
  } finally {
    await rm(directory, { recursive: true })
  }
})
