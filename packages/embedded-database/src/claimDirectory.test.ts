import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { claimDirectory, DirectoryInUseError } from './claimDirectory.ts'

let folder: string
let directory: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lineage-claim-'))
  directory = join(folder, 'index')
  file = `${directory}.pid`
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

/** The claim of a process in another container, whose id is that of this process. */
const foreign = `${process.pid} 0b1c/pid:[4026532999] 77`
const unexpected = () => {
  throw new Error('The claim was lost.')
}
const minute = () => vi.advanceTimersByTimeAsync(60_000)

async function claim() {
  const onLost = vi.fn()
  return { ...(await claimDirectory(directory, onLost)), onLost }
}

/** Claims the folder while the time passes, and returns how the last process left it. */
async function claimLater() {
  const claimed = claimDirectory(directory, unexpected)
  claimed.catch(() => undefined)
  await minute()
  return claimed
}

/** Renews a claim like its process, whose clock is wrong. */
function renew(content: string) {
  let at = Date.now() + 7_200_000
  const timer = setInterval(() => {
    writeFileSync(file, content)
    at += 2_000
    utimesSync(file, at / 1_000, at / 1_000)
  }, 2_000)
  return () => clearInterval(timer)
}

/** Returns the claim that a process of this container would write which has another id. */
async function claimOf(pid: number) {
  const { release } = await claim()
  const own = readFileSync(file, 'utf8')
  release()
  return own.replace(/^\d+/, `${pid}`)
}

test('behavior: a claim lasts while its file is there', async () => {
  const { left, onLost } = await claim()
  await minute()
  expect([left, existsSync(file), onLost.mock.calls.length]).toEqual(['empty', true, 0])
})

test('behavior: a released folder is closed, and the next claim says so', async () => {
  mkdirSync(directory)
  const { release } = await claim()
  release()
  expect(existsSync(file)).toBe(false)
  expect((await claim()).left).toBe('closed')
})

test('behavior: the folder of a process that was killed is claimed at once', async () => {
  mkdirSync(directory)
  for (const pid of [999_999_999, process.pid]) {
    writeFileSync(file, await claimOf(pid))
    const { left, release } = await claim()
    expect(left).toBe('killed')
    release()
  }
  expect(readdirSync(folder)).toEqual(['index'])
})

test.each([
  ['of a process whose id another has now', () => claimOf(process.ppid)],
  ['of a process in another container', async () => foreign],
  ['of an earlier version', async () => `${process.pid}`],
  ['that is empty', async () => ''],
])(
  'behavior: a claim %s, if not renewed, is replaced after ten seconds, also with a time in the future',
  async (_, content) => {
    mkdirSync(directory)
    writeFileSync(file, await content())
    const later = new Date(Date.now() + 7_200_000)
    utimesSync(file, later, later)
    expect((await claimLater()).left).toBe('killed')
  },
)

test.each([
  ['of this container', () => claimOf(process.ppid), process.ppid],
  ['of another container', async () => foreign, process.pid],
])('error: a folder that a process %s has open is refused', async (_, content, pid) => {
  const text = await content()
  writeFileSync(file, text)
  const stop = renew(text)
  const refused = claimLater()
  await expect(refused).rejects.toThrow(DirectoryInUseError)
  await expect(refused).rejects.toThrow(`${directory} is open in process ${pid}, which must end first`)
  stop()
})

test('behavior: a folder that is given back meanwhile is claimed', async () => {
  mkdirSync(directory)
  writeFileSync(file, foreign)
  setTimeout(() => rmSync(file), 1_000)
  expect((await claimLater()).left).toBe('closed')
})

test('error: a deleted folder is reported once', async () => {
  const { onLost } = await claim()
  rmSync(folder, { recursive: true })
  await minute()
  expect(onLost.mock.calls).toEqual([[undefined]])
})

test('error: a claim of another process is reported once, and neither refreshed nor removed', async () => {
  const { onLost, release } = await claim()
  writeFileSync(file, foreign)
  await minute()
  expect(onLost.mock.calls).toEqual([[process.pid]])
  release()
  expect(readFileSync(file, 'utf8')).toBe(foreign)
})

test('error: a deleted folder that another process has claimed since is reported again', async () => {
  const { onLost } = await claim()
  rmSync(file)
  await vi.advanceTimersByTimeAsync(10_000)
  writeFileSync(file, foreign)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(onLost.mock.calls).toEqual([[undefined], [process.pid]])
})
