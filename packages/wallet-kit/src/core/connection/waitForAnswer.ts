import { abortable, delay, withDeadline } from '../lib/promises.ts'
import { requestTimeout } from '../provider/eip1193.ts'
import { waitForAccounts } from '../wallets/injected.ts'
import type { Connector, ConnectorConnection } from '../wallets/wallet.ts'

/** Interval in milliseconds at which a wallet with an open request is asked for its accounts. */
const pollInterval = 1_000

/** Waits until the person answers the earlier request, and the wallet reports or returns its accounts. */
export async function waitForAnswer(connector: Connector, signal: AbortSignal): Promise<ConnectorConnection> {
  for (;;) {
    const answer = await abortable(readQuietly(connector, signal), signal)
    if (answer) return answer
    await abortable(waitForReport(connector, signal), signal)
  }
}

async function readQuietly(connector: Connector, signal: AbortSignal) {
  try {
    return await withDeadline(async (signal) => connector.reconnect?.({ signal }), requestTimeout, signal)
  } catch {
    return undefined
  }
}

/** Resolves when the wallet reports accounts, and after `pollInterval` at the latest. */
async function waitForReport(connector: Connector, signal: AbortSignal): Promise<void> {
  const provider = connector.getProvider?.()
  const wait = (signal: AbortSignal) => (provider ? waitForAccounts(provider, signal) : delay(pollInterval, signal))
  await withDeadline(wait, pollInterval, signal)
}
