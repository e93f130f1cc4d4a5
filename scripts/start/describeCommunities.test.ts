import { expect, test } from 'vitest'
import { describeCommunity } from './runServices.ts'

const none = { members: 0, roots: 0, undated: 0, series: [], leaders: { team: [], directs: [], volume: [] } }
const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' as const
const leader = { address, directs: 3, team: 1_200, teamVolume: '0' }
const day = { day: '2026-01-31', members: 1, totalMembers: 1, volume: '0', rewards: '0' }

test.each([
  ['none yet', none, 'Demo\n  0 members · 0 roots'],
  [
    'members',
    { ...none, members: 4_012, roots: 1, series: [day], leaders: { ...none.leaders, team: [leader] } },
    `Demo\n  4,012 members · 1 root · first bind on 2026-01-31\n  largest team: 1,200 below ${address}`,
  ],
  [
    'members without a date',
    { ...none, members: 2, roots: 2, undated: 2 },
    'Demo\n  2 members · 2 roots · 2 without a date',
  ],
  ['a community that is withheld', null, 'Demo is withheld: the reason stands below'],
])('describeCommunity: %s', (_, figures, text) =>
  expect(describeCommunity({ name: { 'zh-CN': '示例', en: 'Demo' } }, figures)).toBe(text),
)
