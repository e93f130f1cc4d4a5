export * from './checkDatabase.ts'
export { type DatabaseFault, databaseFaults, describeError, findDatabaseFault } from './describeError.ts'
export * from './indexTables.ts'
export * from './openPool.ts'
