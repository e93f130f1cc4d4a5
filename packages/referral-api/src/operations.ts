import { accounts } from './operations/accounts.ts'
import type { Content, Described, Details, Responses, ToolTexts } from './operations/details.ts'
import { lookups } from './operations/lookups.ts'
import { service } from './operations/service.ts'
import {
  type AccountId,
  accountRoutes,
  type LookupId,
  lookupRoutes,
  type OperationId,
  pageRoutes,
  type Routes,
  type ServiceId,
  serviceRoutes,
  splitRoute,
} from './routes.ts'
import { responses } from './schemas.ts'

export type { Content, Deprecation, QueryParameter } from './operations/details.ts'
export { filters, isMomentParameter, momentPattern, pathParameters } from './operations/parameters.ts'

export type Operation = (
  | { tag: 'lookups'; id: LookupId }
  | { tag: 'accounts'; id: AccountId }
  | { tag: 'service'; id: ServiceId }
) &
  Described &
  Partial<ToolTexts> & {
    /** `get` also answers HEAD. */
    method: 'get' | 'post' | 'put' | 'delete'
    /** Path below `/v1`, with its parameters in braces. */
    path: string
    /** `schemas.nothing` means 204. */
    response: Content
  }

export type DetailsById = typeof lookups & typeof accounts & typeof service

/** Lists every operation of the API. The OpenAPI document and the server's allow-list are made from this list. */
export const operations: readonly Operation[] = [
  ...toOperations('lookups', lookupRoutes, lookups),
  ...toOperations('accounts', accountRoutes, accounts),
  ...toOperations('service', { ...pageRoutes, ...serviceRoutes }, service),
]

function toOperations(
  tag: Operation['tag'],
  routes: Partial<Routes>,
  details: { [id in OperationId]?: Details<id> },
): Operation[] {
  return (Object.keys(routes) as OperationId[]).map((id) => {
    const { method, path } = splitRoute(routes[id] as Routes[OperationId])
    const { type, ...rest } = details[id] as Details<OperationId>
    const response: Content = type ? { type } : { schema: responses[id as keyof Responses] }
    return { id, tag, method: method.toLowerCase(), path, response, ...rest } as Operation
  })
}

const toPattern = (path: string) => new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)

const patterns = operations.map((operation) => ({ operation, pattern: toPattern(operation.path) }))

/**
 * Returns the operation of a request; `undefined` if there is none. `path` is below `/v1`, without a query.
 *
 * @example findOperation('HEAD', '/communities/demo/metrics')?.id // 'metrics'
 */
export function findOperation(method: string, path: string): Operation | undefined {
  const asked = method === 'HEAD' ? 'get' : method.toLowerCase()
  return patterns.find(({ operation, pattern }) => operation.method === asked && pattern.test(path))?.operation
}

/** Pattern and methods of each path. */
const known = [...new Set(operations.map(({ path }) => path))].map((path) => ({
  pattern: toPattern(path),
  allow: operations
    .filter((operation) => operation.path === path)
    .map(({ method }) => (method === 'get' ? 'GET, HEAD' : method.toUpperCase()))
    .join(', '),
}))

/**
 * Lists the methods of a path below `/v1`, in the format of the `Allow` header. Returns `undefined` for a path
 * outside of the API.
 *
 * @example methodsOf('/communities/demo/members/batch') // 'POST'
 */
export function methodsOf(path: string): string | undefined {
  return known.find(({ pattern }) => pattern.test(path))?.allow
}
