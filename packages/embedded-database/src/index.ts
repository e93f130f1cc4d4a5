export { type Claim, claimDirectory, DirectoryInUseError } from './claimDirectory.ts'
export { createPgliteDirectory, createPgliteInMemory } from './createPglite.ts'
export { holdsOtherFiles } from './holdsOtherFiles.ts'
