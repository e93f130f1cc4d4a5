import { readProperty } from '../../core/lib/untrusted.ts'
import { detectInAppBrowser } from '../../core/wallets/userAgent.ts'

/**
 * Opens a web address outside of Telegram's own browser. Returns `false` in any other browser, where the link works
 * as usual.
 *
 * @see https://core.telegram.org/bots/webapps#initializing-mini-apps
 */
export function openOutsideTelegram(href: string): boolean {
  if (!href.startsWith('https://') || detectInAppBrowser(navigator, window) !== 'telegram') return false
  const app = readProperty(readProperty(window, 'Telegram'), 'WebApp')
  const openLink = readProperty(app, 'openLink')
  if (typeof openLink !== 'function') return false
  try {
    openLink.call(app, href)
    return true
  } catch {
    return false
  }
}
