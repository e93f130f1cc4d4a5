import { read } from '../core/read.ts'
import { detectInAppBrowser } from '../core/surroundings.ts'

/**
 * Opens a web address outside Telegram, whose own browser would keep it. `false` when that is not called for: the link
 * then does what links do.
 *
 * @see https://core.telegram.org/bots/webapps#initializing-mini-apps
 */
export function openOutsideTelegram(href: string): boolean {
  if (!href.startsWith('https://') || detectInAppBrowser(navigator, window) !== 'telegram') return false
  const app = read(read(window, 'Telegram'), 'WebApp')
  const openLink = read(app, 'openLink')
  if (typeof openLink !== 'function') return false
  try {
    openLink.call(app, href)
    return true
  } catch {
    return false
  }
}
