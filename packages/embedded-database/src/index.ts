export { type Claim, claimDirectory, DirectoryInUseError } from './claimDirectory.ts'
export { createPgliteDirectory } from './createPgliteDirectory.ts'
