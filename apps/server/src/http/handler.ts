import type { HttpBindings } from '@hono/node-server'
import {
  accountRoutes,
  fillPath,
  lookupRoutes,
  pageRoutes,
  serviceRoutes,
  splitRoute,
  type ValuesOf,
} from '@lineage/referral-api/routes'
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

const routes = { ...lookupRoutes, ...accountRoutes, ...pageRoutes, ...serviceRoutes }

/**
 * Returns the path of an operation, with its parameters filled in.
 *
 * @example apiPath('label', '0x…') // '/v1/labels/0x…'
 */
export const apiPath = <id extends keyof typeof routes>(id: id, ...values: ValuesOf<(typeof routes)[id]>): string =>
  `/v1${fillPath(splitRoute(routes[id]).path, values)}`
