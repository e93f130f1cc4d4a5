import { expect, test } from 'vitest'
import { WalletNotAvailableError } from '../../core/lib/errors.ts'
import { connectingTexts } from './connectingTexts.ts'

test.each([
  ['notInstalled', 'errorNotAvailable'],
  ['notReachable', 'errorNotAvailable'],
  ['noAccount', 'errorLocked'],
  ['unauthorized', 'errorLocked'],
  ['noAnswer', 'errorNoAnswer'],
  ['offline', 'errorOffline'],
] as const)('a wallet that is not available, %s: %s', (reason, text) => {
  const error = new WalletNotAvailableError('No.', { reason })
  const step = { name: 'connecting', phase: 'failed', walletId: 'relayed', attempt: 1, error } as const
  const wallet = { id: 'relayed', name: 'Relayed', kind: 'walletConnect', relayLinks: undefined } as const
  expect(connectingTexts(step, wallet, (key) => key).text).toBe(text)
})
