export type { Session } from '../core/authentication.ts'
export {
  createSiweServer,
  type SiweHandler,
  type SiweServer,
  type SiweServerOptions,
} from '../siwe/createSiweServer.ts'
export type { SiweProblemCode } from '../siwe/problem.ts'
export { memorySiweStore, type SiweStore, type StoredSession } from '../siwe/store.ts'
