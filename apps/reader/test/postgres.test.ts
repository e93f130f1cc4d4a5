import { describeIndexer } from './suite.ts'

describeIndexer('PostgreSQL')
