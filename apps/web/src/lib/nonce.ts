/**
 * Nonce of the content security policy, for styles that scripts create. The server writes another one at the end of each
 * answer, and names by their hashes the inline scripts and styles that the build or `server.tsx` mark with this text.
 */
export const nonce = typeof window === 'undefined' ? '__NONCE__' : (document.getElementById('nonce')?.textContent ?? '')

// notistack's styles are created by goober, which looks here.
if (typeof window !== 'undefined') window.__nonce__ = nonce
