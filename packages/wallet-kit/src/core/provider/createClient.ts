// A separate module, so that the build can put this one function of viem into the start of a page: see tsup.config.ts.
export { createClient } from 'viem'
