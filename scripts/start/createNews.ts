import type { StartMessage } from '../../apps/server/src/settings/startupState.ts'

type Receiver = { send: (message: StartMessage) => void }
type Latest = { [type in StartMessage['type']]: Extract<StartMessage, { type: type }> }

export type News = ReturnType<typeof createNews>

/** Creates a store of the latest message of each type, which it sends to the server, also after a restart. */
export function createNews() {
  const latest: Latest = { progress: preparing('starting', null), demo: { type: 'demo', demo: null } }
  let server: Receiver | undefined
  return {
    send(message: StartMessage) {
      Object.assign(latest, { [message.type]: message })
      server?.send(message)
    },
    /** Sends all stored messages to a server that has just started, and later messages as well. */
    sendTo(started: Receiver) {
      server = started
      for (const message of Object.values(latest)) started.send(message)
    },
  }
}

/** Creates the message with the current phase and its progress. */
export const preparing = (
  phase: 'starting' | 'chain',
  note: string | null,
  { done, total } = { done: 0, total: 0 },
): Latest['progress'] => ({ type: 'progress', progress: { phase, done, total }, note })
