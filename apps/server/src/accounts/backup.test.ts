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
import type { Address, WatchRules } from '@lineage/referral-api'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AccountsLocation } from '../database/database.ts'
import { BackupError, restoreBackup, saveBackup } from './backup.ts'
import { openAccounts } from './openAccounts.ts'

const base = mkdtempSync(join(tmpdir(), 'lineage-backup-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

/** A database with rows, and its backup. */
const filled: AccountsLocation = { kind: 'embedded', directory: join(base, 'filled') }
let contents: Awaited<ReturnType<typeof fill>>
const backup = join(base, 'filled.backup')
beforeAll(async () => {
  contents = await fill(filled)
  expect(await saveBackup(filled, backup)).toEqual(counts)
})

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

const rules: WatchRules = {
  ...{ directs: true, team: 'day', milestones: true },
  ...{ referrer: false, irregular: true, volumeFrom: '5' },
}
const watch = { community: 'demo', address: addressOf(9), rules, updatedAt: 100 }
const counts = { label: 1_501, nonce: 1, cursor: 1, watch: 1, digest: 0, webhook: 1, feed: 1 }

/** Stores more than one page of labels of two accounts, rows for alerts, a session and a used nonce. */
async function fill(location: AccountsLocation) {
  const { labels, alerts, useNonce, saveSession, close } = openAccounts(location)
  await alerts.saveWatch(mine, watch, { block: 70, finalizedBlock: 60 })
  const { id, secret } = await alerts.addWebhook(mine, 'https://hooks.example/lineage')
  const token = await alerts.renewFeed(other)
  const many = Array.from({ length: 1_500 }, (_, index) => label(index, 100 + index))
  await labels.merge(mine, many)
  await labels.save(other, label(1, 7))
  await useNonce('used', inAMinute())
  await saveSession({ id: 'a1', address: mine, chainId: 56, expiresAt: inAMinute() })
  await close()
  return { many, webhook: { id, secret }, token }
}

test('attack: a link in place of the unfinished file is replaced, and its target stays', async () => {
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

test('behavior: all but sessions and alerts returns to another database', async () => {
  const { many, webhook, token } = contents
  expect(statSync(backup).mode & 0o777).toBe(0o600)
  for (let time = 0; time < 2; time++) expect(await restoreBackup(embedded('two'), backup)).toEqual(counts)
  const { labels, alerts, useNonce, findSession, close } = openAccounts(embedded('two'))
  expect(await labels.list(mine)).toEqual(many.toReversed())
  expect(await labels.list(other)).toEqual([label(1, 7)])
  expect([await useNonce('used', inAMinute()), await findSession('a1')]).toEqual([false, undefined])
  expect(await alerts.listWatches(mine)).toEqual([watch])
  expect(await alerts.readWatches('demo')).toMatchObject([{ account: mine, since: 70 }])
  expect(await alerts.holdCursor('demo', 'me', 1_000)).toMatchObject({ block: 60, version: 0 })
  expect(await alerts.findWebhook(mine, webhook.id)).toMatchObject({ ...webhook, sent: 0 })
  expect(await alerts.findFeedAccount(token)).toBe(other)
  await close()
}, 60_000)

test('behavior: a backup of the first version, with labels and used nonces alone, is restored', async () => {
  const lines = [
    { format: 'lineage accounts', version: 1, savedAt: '2026-06-01T12:00:00.000Z' },
    { label: [mine, addressOf(1), 'one', true, 100] },
    { nonce: ['used', inAMinute()] },
    { labels: 1, nonces: 1 },
  ]
  writeFileSync(file(), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
  expect(await restoreBackup(embedded('one'), file())).toMatchObject({ label: 1, nonce: 1, watch: 0 })
  const { labels, close } = openAccounts(embedded('one'))
  expect(await labels.find(mine, addressOf(1))).toMatchObject({ text: 'one' })
  await close()
}, 60_000)

test('behavior: rows written after the backup stay', async () => {
  const before = openAccounts(filled)
  await before.labels.save(mine, label(3, 9_000, 'newer'))
  await before.labels.save(mine, label(4, 1, 'older'))
  await before.labels.save(mine, label(1_900, 5, 'added'))
  await before.close()
  await restoreBackup(filled, backup)
  const { labels, close } = openAccounts(filled)
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
])('error: a file with %s is refused, and no database is opened', async (_, damage, message) => {
  writeFileSync(file(), damage(readFileSync(backup, 'utf8')))
  await expect(restoreBackup(embedded('two'), file())).rejects.toThrow(message)
  expect(existsSync(join(folder, 'two'))).toBe(false)
})

test('error: a file that exists is not overwritten, and one that does not cannot be restored', async () => {
  writeFileSync(file(), 'precious')
  await expect(saveBackup(embedded('one'), file())).rejects.toThrow(BackupError)
  expect(readFileSync(file(), 'utf8')).toBe('precious')
  await expect(restoreBackup(embedded('one'), join(folder, 'none'))).rejects.toThrow(/cannot be read/)
})
