import {
  accountRoutes,
  fillPath,
  lookupRoutes,
  pageRoutes,
  serviceRoutes,
  splitRoute,
  type ValuesOf,
} from '@lineage/referral-api/routes'

const routes = { ...lookupRoutes, ...accountRoutes, ...pageRoutes, ...serviceRoutes }

/**
 * Returns the path of an operation, with its parameters filled in.
 *
 * @example apiPath('label', '0x…') // '/v1/labels/0x…'
 */
export const apiPath = <id extends keyof typeof routes>(id: id, ...values: ValuesOf<(typeof routes)[id]>): string =>
  `/v1${fillPath(splitRoute(routes[id]).path, values)}`
