import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Address } from '@lineage/referral-api'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { BackupError, restoreBackup, saveBackup } from './backup.ts'
import type { AccountsLocation } from './database.ts'
import { openAccounts } from './openAccounts.ts'

const base = mkdtempSync(join(tmpdir(), 'lineage-backup-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(base, 'test-'))
})

const addressOf = (index: number): Address => `0x${index.toString(16).padStart(40, '0')}`
const [mine, other] = [addressOf(0xa1), addressOf(0xb2)]
const label = (index: number, updatedAt: number, text = `Nr. ${index} “\n💡”`) => ({
  address: addressOf(index),
  text,
  watched: index % 2 === 0,
  updatedAt,
})
const embedded = (name: string): AccountsLocation => ({ kind: 'embedded', directory: join(folder, name) })
const file = () => join(folder, 'backup')
const inAMinute = () => Date.now() + 60_000

/** Stores labels of two accounts, more than a page of them, a session and a used nonce. */
async function fill(location: AccountsLocation) {
  const { labels, useNonce, saveSession, close } = openAccounts(location)
  const many = Array.from({ length: 1_500 }, (_, index) => label(index, 100 + index))
  await labels.merge(mine, many)
  await labels.save(other, label(1, 7))
  await useNonce('used', inAMinute())
  await saveSession({ id: 'a1', address: mine, chainId: 56, expiresAt: inAMinute() })
  await close()
  return many
}

test('attack: a link in the place of the unfinished file is replaced, and what it leads to stays', async () => {
  await openAccounts(embedded('one')).close()
  const precious = join(folder, 'precious')
  writeFileSync(precious, 'mine')
  symlinkSync(precious, `${file()}.partial`)
  await saveBackup(embedded('one'), file())
  expect(readFileSync(precious, 'utf8')).toBe('mine')
  expect(lstatSync(file()).isFile()).toBe(true)
})

test('error: where the unfinished file cannot be made, none stays', async () => {
  mkdirSync(`${file()}.partial`)
  await expect(saveBackup(embedded('one'), file())).rejects.toThrow(BackupError)
  expect(existsSync(file())).toBe(false)
})

test('behavior: labels and used nonces return to another database, sessions do not', async () => {
  const many = await fill(embedded('one'))
  expect(await saveBackup(embedded('one'), file())).toEqual({ labels: 1_501, nonces: 1 })
  expect(statSync(file()).mode & 0o777).toBe(0o600)
  for (let time = 0; time < 2; time++)
    expect(await restoreBackup(embedded('two'), file())).toEqual({ labels: 1_501, nonces: 1 })
  const { labels, useNonce, findSession, close } = openAccounts(embedded('two'))
  expect(await labels.list(mine)).toEqual(many.toReversed())
  expect(await labels.list(other)).toEqual([label(1, 7)])
  expect([await useNonce('used', inAMinute()), await findSession('a1')]).toEqual([false, undefined])
  await close()
}, 60_000)

test('behavior: what was written after the backup stays', async () => {
  await fill(embedded('one'))
  await saveBackup(embedded('one'), file())
  const before = openAccounts(embedded('one'))
  await before.labels.save(mine, label(3, 9_000, 'newer'))
  await before.labels.save(mine, label(4, 1, 'older'))
  await before.labels.save(mine, label(1_900, 5, 'added'))
  await before.close()
  await restoreBackup(embedded('one'), file())
  const { labels, close } = openAccounts(embedded('one'))
  const found = await Promise.all([3, 4, 1_900].map((index) => labels.find(mine, addressOf(index))))
  expect(found.map((one) => one?.text)).toEqual(['newer', label(4, 0).text, 'added'])
  await close()
}, 60_000)

test.each<[string, (text: string) => string, RegExp]>([
  ['its end cut away', (text) => text.slice(0, -20), /is damaged|is not complete/],
  ['whole lines missing at the end', (text) => text.split('\n').slice(0, 700).join('\n'), /is not complete/],
  ['a line lost', (text) => text.split('\n').toSpliced(5, 1).join('\n'), /is not complete/],
  ['a damaged line', (text) => text.replace('"label":[', '"label":{'), /Line 2 of .* is damaged/],
  ['the words of another program', () => 'hello\n', /is not a backup/],
  ['nothing in it', () => '', /is not complete/],
])(
  'error: a file with %s is refused, and nothing is changed',
  async (_, damage, message) => {
    await fill(embedded('one'))
    await saveBackup(embedded('one'), file())
    writeFileSync(file(), damage(readFileSync(file(), 'utf8')))
    await expect(restoreBackup(embedded('two'), file())).rejects.toThrow(message)
    const { labels, close } = openAccounts(embedded('two'))
    expect(await labels.list(mine)).toEqual([])
    await close()
  },
  60_000,
)

test('error: a file that exists is not overwritten, and one that does not cannot be restored', async () => {
  writeFileSync(file(), 'precious')
  await expect(saveBackup(embedded('one'), file())).rejects.toThrow(BackupError)
  expect(readFileSync(file(), 'utf8')).toBe('precious')
  await expect(restoreBackup(embedded('one'), join(folder, 'none'))).rejects.toThrow(/cannot be read/)
})
