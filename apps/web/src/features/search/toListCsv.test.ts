import { expect, test } from 'vitest'
import { addressOf, createForest } from '../../../test/forest.ts'
import { parseList } from '../../shared/address/parseList.ts'
import { toListCsv } from './toListCsv.ts'

const forest = createForest()

test('behavior: exact values in every row, unread entries with their reason, no spreadsheet formulas', () => {
  const { unread } = parseList('=HYPERLINK("http://a.example")\n@SUM(A1) 0x12')
  const csv = toListCsv(
    [
      {
        address: addressOf(1),
        line: 2,
        card: forest.member(1),
        chain: { kind: 'account', balance: 1_234_567_890_123_456_789_012n },
      },
      { address: addressOf(7), line: 3, card: 'stranger', chain: { kind: 'contract', balance: 0n } },
      { address: addressOf(8), line: 4, card: 'failed', chain: 'failed' },
      { address: addressOf(9), line: 5, card: undefined, chain: undefined },
    ],
    unread,
    (address) =>
      address === addressOf(1)
        ? { name: '=cmd.bnb', label: '+1 "老王", 团队\n长' }
        : { name: undefined, label: undefined },
  )
  const { directs, team, root, depth, joinedAt } = forest.member(1)
  const joined = new Date(Number(joinedAt) * 1_000).toISOString()
  expect(csv.startsWith('\uFEFF"line","address",')).toBe(true)
  expect(csv.slice(1).split('\r\n').slice(1)).toEqual([
    `"2","${addressOf(1)}","member","account","1234.567890123456789012","'=cmd.bnb","'+1 ""老王"", 团队\n长","${addressOf(0)}","${root}","${depth}","${joined}","exact","${directs}","${team}",""`,
    `"3","${addressOf(7)}","none","contract","0","","","","","","","","","",""`,
    `"4","${addressOf(8)}","","","","","","","","","","","","","community not answered, chain not read"`,
    `"5","${addressOf(9)}","","","","","","","","","","","","",""`,
    `"1","'=HYPERLINK(""http://a.example"")","","","","","","","","","","","","","no address: none in this line"`,
    `"2","0x12","","","","","","","","","","","","","no address: too short"`,
    '',
  ])
})
