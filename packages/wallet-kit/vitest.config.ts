import { defineConfig } from 'vitest/config'
import { severalWorkers, shared } from '../../scripts/vitest/shared.ts'

/** Test files with a browser or a chain, which may still be closing when the next file begins. */
const withProcesses = ['src/**/*.browser.test.{ts,tsx}', 'src/**/*.chain.test.ts']
const withRelays = ['src/wallets/walletConnect*.test.ts', 'src/wagmi/kitConnector.browser.test.ts']

export default defineConfig({
  test: {
    ...shared,
    maxWorkers: severalWorkers,
    environment: 'jsdom',
    css: true,
    setupFiles: [...shared.setupFiles, './src/react/testing/setup.ts'],
    // The relay client leaves two rejections unhandled: when the relay delivers a delete twice, which it does when it is busy, and
    // when both sides end a session at the same time.
    onUnhandledError: ({ message, stack = '' }) =>
      !(
        /^Missing or invalid\. Record was recently deleted/.test(message) &&
        /onSessionDeleteRequest|\.deleteSession/.test(stack)
      ),
    projects: [
      // A relay client that a test has ended rejects minutes later, in the file that its worker runs then.
      { extends: true, test: { name: 'relays', include: withRelays, isolate: true } },
      { extends: true, test: { name: 'processes', include: withProcesses, exclude: withRelays } },
      {
        extends: true,
        test: { name: 'units', include: ['src/**/*.test.{ts,tsx}'], exclude: [...withProcesses, ...withRelays] },
      },
    ],
  },
})
