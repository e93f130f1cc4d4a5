import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type BindStatus, createForest, type Forest, type ForestParameters } from '../index.ts'
import { finish } from './finish.ts'

const root = join(import.meta.dirname, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const zero = `0x${'0'.repeat(40)}`
const dead = `0x${'dead'.padStart(40, '0')}`
const [a, b, c] = ['a1', 'b2', 'c3'].map((byte) => `0x${byte.repeat(20)}`) as [string, string, string]

/** Returns the rows of the table whose header begins with this cell. */
function readTable(firstHeader: string): string[][] {
  const lines = readme.split('\n')
  const start = lines.findIndex((line) => line.startsWith(`| ${firstHeader} `))
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'))
  const rows = lines.slice(start + 2, end).map((line) => line.slice(1, -1).split('|'))
  return rows.map((cells) => cells.map((cell) => cell.trim()))
}

function codeIn(cell: string | undefined): string[] {
  return [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, code]) => code as string)
}

describe('rules', () => {
  const bindAll = (parameters: ForestParameters, ...pairs: [member: string, referrer: string | null][]) => {
    const forest = createForest(parameters)
    return pairs.map(([member, referrer], index) =>
      forest.bind({ block: index, logIndex: 0, timestamp: index, member, referrer }),
    )
  }
  const rebind = { rebind: true }
  const lastStatus: Record<string, () => (BindStatus | undefined)[]> = {
    'under a member or placeholder': () => [bindAll({}, [b, a], [c, b]).at(-1), bindAll({}, [b, a], [c, a]).at(-1)],
    'under a new address': () => bindAll({}, [b, a]),
    'of a placeholder': () => bindAll({}, [b, a], [a, c]).slice(-1),
    'under a sentinel (`0x0…0`, `0x…dEaD`, `sentinels`)': () =>
      bindAll({ sentinels: [c] }, [a, zero], [b, c], ['0xd4'.padEnd(42, '0'), dead]),
    'under itself': () => [bindAll({}, [a, a]).at(-1), bindAll({}, [a, b], [a, a]).at(-1)],
    'of a member again': () => [bindAll({}, [a, b], [a, c]).at(-1), bindAll({}, [a, b], [a, b]).at(-1)],
    'of a member whose first bind was under `0x0…0`': () => bindAll({}, [a, zero], [a, b]).slice(-1),
    'under its own downline': () => bindAll({}, [b, a], [c, b], [a, c]).slice(-1),
    'of a sentinel': () => bindAll({}, [zero, a]),
    'of a sentinel under another sentinel': () => bindAll({}, [zero, dead]),
    '`rebind`: of a member again': () => bindAll(rebind, [a, b], [a, c]).slice(-1),
    '`rebind`: of a member again, under the same referrer': () => bindAll(rebind, [a, b], [a, b]).slice(-1),
    '`rebind`: of a member again, under its own downline': () => bindAll(rebind, [a, zero], [b, a], [a, b]).slice(-1),
    '`rebind`: of a member again, under a sentinel': () => bindAll(rebind, [a, b], [a, zero]).slice(-1),
    '`rebind`: of a member, under no referrer (`null`)': () => bindAll(rebind, [a, b], [a, null]).slice(-1),
    'of an address that is not bound, under no referrer': () => [
      bindAll(rebind, [a, null]).at(-1),
      bindAll(rebind, [b, a], [a, null]).at(-1),
      bindAll(rebind, [a, zero], [a, null]).at(-1),
      bindAll({}, [a, null]).at(-1),
    ],
  }
  const rows = readTable('bind')

  test('the table lists every case', () => {
    expect(rows.map(([bind]) => bind)).toEqual(Object.keys(lastStatus))
  })

  test.each(rows)('a bind %s is %s', (bind, status) => {
    const [expected] = codeIn(status)
    expect(new Set(lastStatus[bind as string]?.())).toEqual(new Set([expected]))
  })
})

test('amounts: own figures, teams and totals are as in the table', () => {
  const count = (member: string, binds: [member: string, referrer: string][], later: [string, string][] = []) => {
    const forest = createForest()
    let block = 0
    const bindEach = (pairs: [string, string][]) => {
      for (const [member, referrer] of pairs)
        forest.bind({ block: ++block, logIndex: 0, timestamp: block, member, referrer })
    }
    bindEach(binds)
    forest.addVolume({ block: ++block, logIndex: 0, timestamp: block, member, amount: 7n })
    bindEach(later)
    const figuresOf = (address: string) => {
      const id = forest.find(address)
      return id === undefined ? undefined : forest.summary(id)
    }
    return {
      own: figuresOf(member)?.ownVolume,
      team: figuresOf(a)?.teamVolume,
      total: forest.metrics({ now: block }).volume,
    }
  }
  expect(readTable('volume or reward of')).toEqual([
    ['a member or placeholder', 'yes', 'yes', 'yes'],
    ['a new address', 'once it is bound or named', 'once it is bound', 'yes'],
    ['a sentinel', 'no', 'no', 'yes'],
  ])
  expect(count(b, [[b, a]])).toEqual({ own: 7n, team: 7n, total: 7n })
  expect(count(a, [[b, a]])).toMatchObject({ own: 7n, total: 7n })
  expect(count(b, [[c, a]])).toEqual({ own: undefined, team: 0n, total: 7n })
  expect(count(b, [[c, a]], [[b, a]])).toEqual({ own: 7n, team: 7n, total: 7n })
  expect(count(b, [], [[c, b]])).toMatchObject({ own: 7n, total: 7n })
  expect(count(zero, [[b, a]])).toEqual({ own: undefined, team: 0n, total: 7n })
})

test('files: the table lists every source file', () => {
  const listed = readTable('file').map(([name]) => codeIn(name)[0])
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const present = new Set(files.map((name) => /^(queries|test)\//.exec(name)?.[0] ?? name))
  expect(listed.toSorted()).toEqual([...present].toSorted())
})

test('costs: the table lists every method', () => {
  const forest = createForest()
  const methods = Object.keys(forest).filter((key) => typeof forest[key as keyof Forest] === 'function')
  expect(
    readTable('method')
      .flatMap(([names]) => codeIn(names))
      .toSorted(),
  ).toEqual(methods.toSorted())
})

describe('memory', () => {
  const load = (size: number) => {
    const forest = createForest()
    forest.commit(size)
    forest.load(events(size))
    forest.takeSnapshot()
    return forest
  }
  function* events(size: number) {
    for (let index = 1; index < size; index++) {
      const place = { block: index, logIndex: 0, timestamp: 1_700_000_000 + index }
      const member = Uint32Array.of(index, 0, 0, 0, index)
      const half = index >>> 1
      yield { kind: 'bind' as const, ...place, member, referrer: Uint32Array.of(half, 0, 0, 0, half) }
      yield { kind: 'volume' as const, ...place, member, amount: 5n }
      yield { kind: 'reward' as const, ...place, member, amount: 5n }
    }
  }
  // Above this size all snapshots have the same spare room, so the difference is exact.
  const [small, large] = [140_000, 160_000]
  const rows = readTable('part').map(([part, bytes]) => [codeIn(part)[0] as string, bytes as string] as const)
  const [before, after] = [load(small), load(large)]

  test('the table lists every part', () => {
    const { total: _, perMember: __, ...parts } = after.memory
    expect(rows.map(([part]) => part).toSorted()).toEqual(Object.keys(parts).toSorted())
  })

  const alone = ['amountBlocks', 'irregularBinds', 'moves']
  test.each(rows.filter(([part]) => !alone.includes(part)))('%s: %s bytes', (part, bytes) => {
    const key = part as keyof typeof after.memory
    const [least, most] = bytes.split(' to ').map(Number) as [number, number | undefined]
    const average = after.memory[key] / large
    if (most === undefined) expect(Math.round((after.memory[key] - before.memory[key]) / (large - small))).toBe(least)
    else {
      expect(average).toBeGreaterThanOrEqual(least)
      expect(average).toBeLessThanOrEqual(most)
    }
  })

  test('amountBlocks: bytes of each, once a period was asked for', () => {
    finish(after.periodAmounts([], { to: { block: large } }))
    const bytes = rows.find(([part]) => part === 'amountBlocks')?.[1]
    expect(String(Math.round(after.memory.amountBlocks / (large * 2)))).toBe(bytes)
  })

  test('irregularBinds: bytes of each', () => {
    const forest = createForest()
    for (let block = 0; block < 10; block++)
      forest.bind({ block, logIndex: 0, timestamp: block, member: a, referrer: a })
    expect(String(forest.memory.irregularBinds / 10)).toBe(rows.find(([part]) => part === 'irregularBinds')?.[1])
  })

  test('moves: bytes of each', () => {
    const forest = createForest({ rebind: true })
    for (let block = 0; block < 11; block++)
      forest.bind({ block, logIndex: 0, timestamp: block, member: a, referrer: block % 2 === 0 ? b : c })
    expect(String(forest.memory.moves / 10)).toBe(rows.find(([part]) => part === 'moves')?.[1])
  })
})
