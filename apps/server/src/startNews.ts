import { config, progress } from '@lineage/referral-api/schemas'
import * as z from 'zod'

/** What the start script tells this process over IPC. Each message replaces the last of its type. */
const startMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), progress: progress.nullable(), note: z.string().nullable() }),
  z.object({ type: z.literal('demo'), demo: config.shape.demo }),
])
export type StartMessage = z.infer<typeof startMessage>

/** What this process tells the start script. */
export type ServerMessage = { type: 'listening'; port: number }

export type StartNews = ReturnType<typeof createStartNews>

/** Keeps the latest of what the start script said; without one, nothing is being prepared and there is no demo. */
export function createStartNews() {
  let latest: Omit<Extract<StartMessage, { type: 'progress' }>, 'type'> = { progress: null, note: null }
  let demo: Extract<StartMessage, { type: 'demo' }>['demo'] = null
  return {
    get progress() {
      return latest.progress
    },
    get note() {
      return latest.note
    },
    get demo() {
      return demo
    },
    /** Takes a message in; one that is not understood changes nothing. */
    receive(message: unknown) {
      const { data } = startMessage.safeParse(message)
      if (data?.type === 'progress') latest = { progress: data.progress, note: data.note }
      if (data?.type === 'demo') demo = data.demo
    },
  }
}
