// A module of its own, loaded with the first calls.
export { getCapabilities } from './getCapabilities.ts'
export { sendCalls } from './sendCalls.ts'
