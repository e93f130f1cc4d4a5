/** `node scripts/installBrowser.ts`: installs the browser and the Chinese font of the tests, unless they are installed. */
import { BrowserMissingError, findBrowser } from './lib/browser.ts'

try {
  const { executablePath } = await findBrowser()
  console.log(executablePath)
} catch (error) {
  if (!(error instanceof BrowserMissingError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
