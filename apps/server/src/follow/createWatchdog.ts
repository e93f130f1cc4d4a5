import { statfs } from 'node:fs/promises'
import type { Reason } from '@lineage/referral-api'
import { dateReasons, type Facts, findReasons } from './findReasons.ts'

export type WatchdogParameters = {
  maxAge: number
  /** Directory of an embedded database. */
  directory: string | undefined
  read: () => Omit<Facts, 'now' | 'maxAge' | 'stillFor' | 'disk'>
}

/**
 * Free space below which the disk counts as full: PostgreSQL writes its log in files of 16 MB, and stops without room
 * for a few of them.
 */
const minFreeBytes = 64 * 1024 * 1024
const interval = 1_000

/** Creates the watch over everything that the index depends on. It records since when each reason has held. */
export function createWatchdog({ maxAge, directory, read }: WatchdogParameters) {
  let known: Reason[] = []
  let disk: Facts['disk'] = 'free'
  let newest: { block: number; at: number } | undefined

  function reasons(): Reason[] {
    const facts = read()
    const now = Date.now() / 1_000
    const { asOf } = facts.status
    if (asOf && newest?.block !== asOf.block) newest = { block: asOf.block, at: now }
    const all: Facts = { ...facts, now, maxAge, disk, stillFor: newest ? now - newest.at : 0 }
    known = dateReasons(findReasons(all), known, all)
    return known
  }

  return {
    reasons,
    /** Checks once. Resolves to the milliseconds until the next check. */
    async run(): Promise<number> {
      if (directory) {
        const { bavail, bsize } = await statfs(directory)
        disk = bavail * bsize < minFreeBytes ? 'full' : 'free'
      }
      reasons()
      return interval
    },
  }
}
