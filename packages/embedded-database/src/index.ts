export { type Claim, claimDirectory, DirectoryInUseError } from './claimDirectory.ts'
export { createPgliteDirectory, createPgliteInMemory, deletePgliteDirectory } from './createPglite.ts'
export { holdsOtherFiles } from './holdsOtherFiles.ts'
