import { config, progress } from '@lineage/referral-api/schemas'
import * as z from 'zod'

/** Schema of a message from the start script, over IPC. Each message replaces the last one of its type. */
export const startMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), progress: progress.nullable(), note: z.string().nullable() }),
  z.object({ type: z.literal('demo'), demo: config.shape.demo }),
])
export type StartMessage = z.infer<typeof startMessage>

/** A message to the start script. */
export type ServerMessage = { type: 'listening'; port: number }

type Report<Type> = Omit<Extract<StartMessage, { type: Type }>, 'type'>
/** Last report of the start script. `receive` updates it from a message and ignores an invalid message. */
export type StartupState = Report<'progress'> & Report<'demo'> & { receive: (message: unknown) => void }

/** Creates the state that the start script reports: the progress of its preparation, and the demo if there is one. */
export function createStartupState(): Readonly<StartupState> {
  const state: StartupState = {
    progress: null,
    note: null,
    demo: null,
    receive(message) {
      const { type, ...report } = startMessage.safeParse(message).data ?? {}
      Object.assign(state, report)
    },
  }
  return state
}
