export type { EnsNamesOptions } from '../ens/createEnsReader.ts'
export { ensNames } from '../ens/ensNames.ts'
