import { within } from '../../core/within.ts'
import type { RelayClient } from './loadRelayClient.ts'

const disconnectTimeout = 3_000
// https://specs.walletconnect.com/2.0/specs/clients/sign/error-codes
const reason = { code: 6000, message: 'User disconnected.' }

/** Tells the wallet, and forgets the session also when the relay is away. Never rejects. */
export async function endSession(client: RelayClient, topic: string): Promise<void> {
  try {
    await within(client.disconnect({ topic, reason }), disconnectTimeout, () => new Error('The relay is away.'))
  } catch {
    if (client.session.keys.includes(topic)) await client.session.delete(topic, reason).catch(() => {})
  }
}
