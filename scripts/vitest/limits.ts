/** Milliseconds that a test or hook may take: only one that hangs takes them, even on a busy machine. */
export const testLimit = 300_000

/** Milliseconds that a test waits for something to happen, so that its error says what did not. */
export const waitLimit = 240_000
