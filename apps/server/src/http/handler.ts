import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

export type AppEnv = {
  Bindings: HttpBindings
  Variables: {
    /** Address that rate limits count. */
    visitor: string
  }
}
export type AppContext = Context<AppEnv>
export type Handler = (c: AppContext) => Response | Promise<Response>

export const noStore = { 'cache-control': 'no-store' }

/** Calls a function once the response is sent or its connection is closed. */
export function onClose({ env: { outgoing } }: AppContext, listener: () => void): void {
  if (outgoing.closed) listener()
  else outgoing.once('close', listener)
}
