// A separate module, loaded with the first calls.
export { getCapabilities } from './getCapabilities.ts'
export { sendCalls } from './sendCalls.ts'
