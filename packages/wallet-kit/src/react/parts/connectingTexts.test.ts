import { expect, test } from 'vitest'
import { WalletNotAvailableError } from '../../core/lib/errors.ts'
import type { ListedWalletId } from '../../core/wallets/wallet.ts'
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
  const id = 'relayed' as ListedWalletId
  const step = { name: 'connecting', phase: 'failed', walletId: id, attempt: 1, error } as const
  const wallet = { id, name: 'Relayed', kind: 'walletConnect', relayLinks: undefined } as const
  expect(connectingTexts(step, wallet, (key) => key).text).toBe(text)
})
