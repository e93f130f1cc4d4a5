import createCache, { type EmotionCache } from '@emotion/cache'

/**
 * Nonce of the content security policy, for styles that scripts create. The server writes another one at the end of each
 * answer, and names by their hashes the inline scripts and styles that the build or `server.tsx` mark with this text.
 */
export const nonce = typeof window === 'undefined' ? '__NONCE__' : (document.getElementById('nonce')?.textContent ?? '')

// notistack's styles are created by goober, which looks here.
if (typeof window !== 'undefined') window.__nonce__ = nonce

/** The properties that Chrome 111, Safari 16.4 or Firefox 115 know only with a prefix, of those that the app and MUI use. */
const prefixed =
  /^(backdrop-filter|hyphens|mask-image|print-color-adjust|text-decoration|text-size-adjust|user-select)$/

/**
 * Creates the cache of MUI's styles. Emotion would write each flex box four times, for browsers older than those of the
 * app: an eighth of the styles in a page.
 */
export const createStyleCache = (): EmotionCache =>
  createCache({
    key: 'css',
    nonce,
    stylisPlugins: [
      (element) => {
        if (element.type === 'decl' && prefixed.test(String(element.props)))
          element.return = `-webkit-${element.value}${element.value}`
      },
    ],
  })
