import { randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'

/** Milliseconds between two renewals of a claim. */
const heartbeat = 2_000
/** Milliseconds without a renewal after which a claim is stale. */
const patience = 10_000

/** Thrown when another process has opened the folder of an embedded database. */
export class DirectoryInUseError extends Error {
  override readonly name = 'DirectoryInUseError'
  /** Id of the process that has opened it, in its own container. */
  readonly holder: number

  constructor(directory: string, holder: number) {
    super(`${directory} is open in process ${holder}, which must end first`)
    this.holder = holder
  }
}

export type Claim = {
  /** State in which the last process left the folder: `empty` if there is none yet. */
  left: 'empty' | 'closed' | 'killed'
  /** Gives the folder back. The end of this process does so too. */
  release: () => void
}

/**
 * Claims the folder of an embedded database for this process: two processes at once would damage it. Waits up to ten
 * seconds where only time shows whether the last process still runs: in another container its id says nothing.
 *
 * @param onLost - Called when the claim is gone because its folder was deleted, and when another process has claimed
 * it since, with the id of that process.
 * @throws {DirectoryInUseError}
 */
export async function claimDirectory(directory: string, onLost: (holder?: number) => void): Promise<Claim> {
  const file = `${directory}.pid`
  const own = `${process.pid} ${processSpace()} ${randomUUID()}`
  mkdirSync(dirname(directory), { recursive: true })
  let left: Claim['left'] = 'closed'
  while (!createClaim(file, own)) {
    const before = readClaim(file)
    const state = before === undefined ? 'gone' : await watchClaim(file, before)
    if (before === undefined || state === 'gone') continue
    if (state === 'renewed') throw new DirectoryInUseError(directory, toPid(before))
    removeStaleClaim(file, before)
    left = 'killed'
  }
  if (!existsSync(directory)) left = 'empty'
  return { left, release: renewClaim(file, own, onLost) }
}

/** Renews a claim until the returned function is called, and reports when it is lost. */
function renewClaim(file: string, own: string, onLost: (holder?: number) => void): () => void {
  let holder: string | undefined = own
  const timer = setInterval(() => {
    const last = holder
    holder = readClaim(file)
    if (holder === own) utimesSync(file, new Date(), new Date())
    else if (holder !== last) onLost(holder === undefined ? undefined : toPid(holder))
  }, heartbeat).unref()
  const release = () => {
    clearInterval(timer)
    process.off('exit', release)
    if (readClaim(file) === own) rmSync(file, { force: true })
  }
  process.once('exit', release)
  return release
}

/** Creates the file of a claim. Returns `false` if it exists. */
function createClaim(file: string, own: string): boolean {
  try {
    writeFileSync(file, own, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    // A full disk leaves an empty file.
    rmSync(file, { force: true })
    throw error
  }
}

/** Removes a stale claim, unless another process has replaced it meanwhile. */
function removeStaleClaim(file: string, stale: string): void {
  const aside = `${file}.${randomUUID()}`
  try {
    renameSync(file, aside)
    if (readClaim(aside) === stale) rmSync(aside, { force: true })
    else renameSync(aside, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/**
 * Watches a claim: `renewed` if its process renews it, `silent` if that process has ended. Compares no clocks, which differ
 * between machines and may be set back.
 */
async function watchClaim(file: string, holder: string): Promise<'renewed' | 'silent' | 'gone'> {
  const [pid, space] = holder.split(' ')
  if (space === processSpace() && !isRunning(Number(pid))) return 'silent'
  const before = renewedAt(file)
  for (let waited = 0; waited < patience; waited += 100) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    const now = renewedAt(file)
    if (now === undefined) return 'gone'
    if (now !== before) return 'renewed'
  }
  return 'silent'
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Identifies the processes whose ids this process can look up: those of this container, since the machine was started. */
function processSpace(): string {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

/** Returns the content of a claim's file; `undefined` if it is gone. */
function readClaim(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const toPid = (holder: string) => Number.parseInt(holder, 10)
const renewedAt = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs
