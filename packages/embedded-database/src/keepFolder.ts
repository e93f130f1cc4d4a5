import {
  chmodSync,
  closeSync,
  cpSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'

const dataOf = (kept: string) => join(kept, 'data')
const listOf = (kept: string) => join(kept, 'files.json')

/**
 * Keeps a folder that is expensive to create, for the next time. Creates it again if one of its files is missing or has another size.
 *
 * @param kept - Where it is kept, with a list of its files.
 * @param create - Creates the folder at a path.
 * @returns The path of the folder.
 */
export async function keepFolder(kept: string, create: (folder: string) => Promise<void>): Promise<string> {
  if (isWhole(kept)) return dataOf(kept)
  rmSync(kept, { recursive: true, force: true })
  mkdirSync(dirname(kept), { recursive: true })
  const unfinished = mkdtempSync(`${kept}.`)
  try {
    await create(dataOf(unfinished))
    writeFileSync(listOf(unfinished), JSON.stringify(listFiles(dataOf(unfinished))))
    writeToDisk(unfinished)
    renameSync(unfinished, kept)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another process was faster.
    if (!isWhole(kept)) throw error
  }
  return dataOf(kept)
}

/** Copies a kept folder. The copy belongs to this process alone, and may be written also if the original may not. */
export function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true })
  chmodSync(to, 0o700)
  for (const entry of readdirSync(to, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600)
}

function isWhole(kept: string): boolean {
  try {
    return readFileSync(listOf(kept), 'utf8') === JSON.stringify(listFiles(dataOf(kept)))
  } catch {
    return false
  }
}

/** Lists the files below a folder with their sizes. */
function listFiles(folder: string): string[] {
  return filesBelow(folder)
    .map((file) => `${relative(folder, file)} ${statSync(file).size}`)
    .sort()
}

/** Makes the operating system write all files of a folder, which a loss of power could otherwise leave empty. */
function writeToDisk(folder: string): void {
  for (const path of filesBelow(folder)) {
    const file = openSync(path, 'r+')
    fsyncSync(file)
    closeSync(file)
  }
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
