import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Community, ConfigError, parseAddress } from '@lineage/communities'
import type { Address } from 'viem'
import type { Source } from '../follow.ts'
import { HistoryFileError, openRows } from '../history/tableFile.ts'
import type { Tables } from '../tables.ts'

/** Number of addresses that one transaction stores. */
const addressesAtOnce = 5_000
/** Largest number of lines in a file. */
const maxLines = 5_000_000
/** Number of faulty lines after which the rest is not read. */
const maxFaults = 50

export type MemberFilesParameters = {
  /** Folders that may have the files, in the order in which they are tried. */
  folders: readonly string[]
  tables: Pick<Tables, 'nameMembers'>
  log: (message: string) => void
}

/** Creates the reading of files of addresses, which name members to ask a contract about. */
export function createMemberFiles({ folders, tables, log }: MemberFilesParameters) {
  /** Size and time of each file when it was last read, by community. */
  const read = new Map<string, string>()

  async function readFile({ row, community }: Source, path: string): Promise<void> {
    const step = { start: community.startBlock - 1, changed: [], confirmed: [] }
    let added = 0
    // Checks the whole file first, so that no address of a faulty one is used.
    for await (const _ of listAddresses(path));
    for await (const named of listAddresses(path)) added += await tables.nameMembers(row.id, { ...step, named })
    if (added > 0) log(`Community "${community.id}": ${path} names ${added} addresses that were not known.`)
  }

  return {
    /**
     * Stores the addresses in the files of a community that have changed since the last call.
     *
     * @throws {ConfigError} for a file that cannot be used
     */
    async readChanged(source: Source): Promise<void> {
      for (const file of source.community.asked?.files ?? []) {
        const { path, state } = await findFile(source.community, folders, file)
        const key = `${source.community.id} ${file}`
        if (read.get(key) === state) continue
        read.set(key, state)
        try {
          await readFile(source, path)
        } catch (error) {
          if (error instanceof HistoryFileError) throw toConfigError(source.community, error.message)
          read.delete(key)
          throw error
        }
      }
    },
  }
}

function toConfigError({ id }: Community, reason: string): ConfigError {
  return new ConfigError(reason.split('\n').map((line) => ({ path: 'candidates', community: id, reason: line })))
}

async function findFile(community: Community, folders: readonly string[], file: string) {
  for (const folder of folders) {
    const path = resolve(folder, file)
    const found = await stat(path).catch(() => undefined)
    if (found?.isFile()) return { path, state: [found.size, found.mtimeMs, found.ino].join() }
  }
  throw toConfigError(community, `there is no file ${file} in ${folders.join(' or ')}`)
}

/**
 * Reads the addresses of a file in parts. They are in one column, that of the first address; a first line without one is a
 * heading.
 *
 * @throws {HistoryFileError} with the lines that hold no address
 */
async function* listAddresses(path: string): AsyncGenerator<Address[]> {
  let part: Address[] = []
  let column: number | undefined
  let lines = 0
  const faults: string[] = []
  for await (const { values, place } of openRows(path)) {
    const isHeading = column === undefined && lines === 0 && !values.some(isAddress)
    if (++lines > maxLines)
      throw new HistoryFileError(`${place} is beyond the ${maxLines.toLocaleString('en')} lines that a file may have.`)
    if (isHeading) continue
    column ??= Math.max(values.findIndex(isAddress), 0)
    const parsed = parseAddress(values[column] ?? '')
    if (parsed.status === 'valid') part.push(parsed.address.toLowerCase() as Address)
    else faults.push(`${place}: ${describeFault(values[column], parsed.status)}`)
    if (faults.length === maxFaults) break
    if (part.length < addressesAtOnce) continue
    if (faults.length === 0) yield part
    part = []
  }
  if (faults.length > 0) throw new HistoryFileError(faults.join('\n'))
  if (part.length > 0) yield part
}

const isAddress = (value: string) => parseAddress(value).status === 'valid'

function describeFault(value = '', status: string): string {
  const shown = `"${value.slice(0, 60)}"`
  return status === 'checksum'
    ? `${shown} has a wrong checksum: check it for a typo, or write it in lower case`
    : `${shown} is not an address: write 0x and 40 hex digits`
}
