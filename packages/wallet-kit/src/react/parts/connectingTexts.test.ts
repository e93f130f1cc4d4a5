import { expect, test } from 'vitest'
import { WalletNotAvailableError, type WalletNotAvailableReason } from '../../core/lib/errors.ts'
import { connectingTexts } from './connectingTexts.ts'

const texts: Record<WalletNotAvailableReason, string> = {
  notInstalled: 'errorNotAvailable',
  notReachable: 'errorNotAvailable',
  notConnected: 'errorLocked',
  noAccount: 'errorLocked',
  unauthorized: 'errorLocked',
  noAnswer: 'errorLocked',
  offline: 'errorLocked',
}

test.each(Object.entries(texts))('a wallet that is not available, %s: %s', (reason, text) => {
  const error = new WalletNotAvailableError('No.', { reason: reason as WalletNotAvailableReason })
  const step = { name: 'connecting', phase: 'failed', walletId: 'relayed', attempt: 1, error } as const
  const wallet = { id: 'relayed', name: 'Relayed', kind: 'walletConnect', relayLinks: undefined } as const
  expect(connectingTexts(step, wallet, (key) => key).text).toBe(text)
})
