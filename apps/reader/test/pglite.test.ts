import { describeIndexer } from './suite.ts'

describeIndexer('PGlite')
