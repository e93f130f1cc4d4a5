import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Community, parseConfig } from '@lineage/communities'
import type { SourceRow } from '@lineage/database'
import { numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { addressOf, testCommunity } from '../test/community.ts'
import type { EventRow } from './decode.ts'
import { ExportError, exportHistory } from './exportHistory.ts'

const communities = parseConfig({ communities: [testCommunity()] }).communities as Community[]
const hash = numberToHex(7, { size: 32 })
const event: EventRow = {
  ...{ block: 7, logIndex: 0, kind: 0, time: 1_700_000_000, blockHash: hash, tx: hash, txIndex: 0 },
  ...{ member: addressOf(1), other: addressOf(2), amount: null, raw: null, asked: null },
}

test('error: a file that cannot be written in the middle of an export is named, not the database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lineage-export-'))
  const file = join(folder, 'new', 'history.csv')
  const tables = {
    findSource: async () => ({ id: 1, finalized: 7 }) as SourceRow,
    async loadPage(_: number, { after }: { after: { block: number } }) {
      await rm(join(folder, 'new'), { recursive: true, force: true })
      return after.block < 0 ? [event] : []
    },
  }
  await mkdir(join(folder, 'new'))
  const error = await exportHistory({ communities, tables, file }).catch((reason: unknown) => reason)
  expect(error).toEqual(new ExportError(`${file} cannot be written (ENOENT).`))
  expect(await readdir(folder)).toEqual([])
  await rm(folder, { recursive: true })
})
