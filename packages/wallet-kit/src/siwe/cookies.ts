type CookieName = 'browser' | 'session'

export type Cookies = {
  read: (request: Request, name: CookieName) => string | undefined
  /** The header that keeps a value for `maxAge` milliseconds; 0 removes it. */
  write: (request: Request, name: CookieName, value: string, maxAge: number) => string
}

/**
 * Cookies that scripts cannot read, of this host alone. Over https they carry the `__Host-` prefix, so that no neighbouring
 * host can plant one. In a frame of another site they belong to that site's page.
 *
 * @see https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie
 */
export function createCookies({ isSecure }: { isSecure: boolean }): Cookies {
  const nameOf = (name: CookieName) => `${isSecure ? '__Host-' : ''}siwe-${name}`
  return {
    read: (request, name) => {
      const prefix = `${nameOf(name)}=`
      const found = request.headers
        .get('cookie')
        ?.split(';')
        .map((part) => part.trim())
        .filter((part) => part.startsWith(prefix))
      // Two of one name say that somebody has planted one.
      return found?.length === 1 ? found[0]?.slice(prefix.length) : undefined
    },
    write: (request, name, value, maxAge) => {
      const place =
        request.headers.get('siwe-frame') === 'embedded'
          ? 'SameSite=None; Secure; Partitioned'
          : `SameSite=Lax${isSecure ? '; Secure' : ''}`
      return `${nameOf(name)}=${value}; Path=/; HttpOnly; ${place}; Max-Age=${Math.floor(maxAge / 1000)}`
    },
  }
}
