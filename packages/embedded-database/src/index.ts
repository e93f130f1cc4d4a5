export { claimDirectory, DirectoryInUseError } from './claimDirectory.ts'
export { createPgliteDirectory } from './createPgliteDirectory.ts'
