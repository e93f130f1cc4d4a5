export * from './checkDatabase.ts'
export * from './describeError.ts'
export * from './indexTables.ts'
export * from './openPool.ts'
