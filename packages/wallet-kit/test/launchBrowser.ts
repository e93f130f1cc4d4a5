import { type Browser, chromium } from '@playwright/test'
import { findBrowser } from '../../../scripts/lib/browser.ts'

let launched: Promise<Browser> | undefined

/** Starts the browser, once for all test files of a worker. It ends with the worker. */
export function launchBrowser(): Promise<Browser> {
  launched ??= findBrowser().then((options) => chromium.launch(options))
  return launched
}
