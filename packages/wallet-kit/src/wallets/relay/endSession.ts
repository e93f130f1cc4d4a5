import { withTimeout } from '../../core/lib/promises.ts'
import type { RelayClient } from './loadRelayClient.ts'

const disconnectTimeout = 3_000
// https://specs.walletconnect.com/2.0/specs/clients/sign/error-codes
const reason = { code: 6000, message: 'User disconnected.' }

/** Ends a session with the wallet, or only on this side if the relay is unreachable. Never rejects. */
export async function endSession(client: RelayClient, topic: string): Promise<void> {
  try {
    await withTimeout(
      client.disconnect({ topic, reason }),
      disconnectTimeout,
      () => new Error('The relay did not answer.'),
    )
  } catch {
    if (client.session.keys.includes(topic)) await client.session.delete(topic, reason).catch(() => {})
  }
}
