import type { Alert, AlertSettings, Alerts, AsOf } from '@lineage/referral-api'
import { addressOf } from './forest.ts'

const kinds: Partial<Alert>[] = [
  { kind: 'direct' },
  { kind: 'team', isUndated: true },
  { kind: 'digest', members: 12, member: null, block: null, hash: null, logIndex: null },
  { kind: 'milestone', members: 1_000 },
  { kind: 'volume', amount: '12345000000000000000000', referrer: null, status: null },
  { kind: 'referrer', member: addressOf(1), from: addressOf(5) },
  { kind: 'irregular', status: 'duplicate' },
  {
    kind: 'webhook_paused',
    community: null,
    address: null,
    member: null,
    webhook: 'https://hooks.example/a/path/that/is/longer/than/a/phone/is/wide?with=a&query=too',
  },
  { kind: 'retracted', retracts: 'a9' },
  { kind: 'direct', isRetracted: true },
]

/** Creates one alert of each kind, newest first; none without a moment. */
export function createAlerts(asOf: AsOf | undefined, nextCursor: string | null): Alerts {
  if (!asOf) return { items: [], unread: 0, nextCursor: null }
  const items = kinds.map(
    (kind, index): Alert => ({
      id: `a${index}`,
      number: kinds.length - index,
      kind: 'direct',
      community: 'demo',
      address: addressOf(1),
      time: asOf.timestamp - index * 4_000,
      block: asOf.block - index,
      hash: `0x${'ab'.repeat(32)}`,
      logIndex: index,
      member: addressOf(index + 10),
      referrer: addressOf(1),
      from: null,
      status: 'bound',
      amount: null,
      members: null,
      isUndated: false,
      webhook: null,
      retracts: null,
      isRetracted: false,
      isRead: index > 2,
      ...kind,
    }),
  )
  return { items, unread: 3, nextCursor }
}

export const createAlertSettings = (now: number): AlertSettings => ({
  watches: [1, 2].map((index) => ({
    community: 'demo',
    address: addressOf(index),
    rules: {
      directs: true,
      team: index === 1 ? 'hour' : 'off',
      milestones: true,
      referrer: false,
      irregular: false,
      volumeFrom: index === 1 ? '1500000000000000000000' : null,
    },
    updatedAt: now,
  })),
  webhooks: [
    {
      id: 'one',
      url: 'https://hooks.example/lineage',
      state: 'active',
      failingSince: null,
      deliveries: [{ alert: 'a0', at: now, status: 200, milliseconds: 31, answer: 'ok' }],
    },
    {
      id: 'two',
      url: 'https://hooks.example/a/path/that/is/longer/than/a/phone/is/wide?with=a&query=too',
      state: 'paused',
      failingSince: now - 90_000,
      deliveries: [
        { alert: null, at: now, status: null, milliseconds: 10_000, answer: 'No answer within 10 s.' },
        { alert: 'a0', at: now - 60, status: 500, milliseconds: 12, answer: '<script>alert(1)</script>' },
      ],
    },
  ],
  webhooksOffered: 'on',
  feed: 'on',
  limits: { watches: 50, webhooks: 5 },
})
