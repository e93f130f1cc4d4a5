type CookieName = 'browser' | 'session'

export type Cookies = {
  /**
   * Returns the value of a cookie. Returns `undefined` if it is missing, or if the request has two cookies with that
   * name.
   */
  read: (request: Request, name: CookieName) => string | undefined
  /** Returns the `set-cookie` header that keeps a value for `maxAge` milliseconds; 0 removes it. */
  write: (request: Request, name: CookieName, value: string, maxAge: number) => string
}

/**
 * Creates cookies that scripts cannot read, for this host only. Over https they carry the `__Host-` prefix, so that no
 * other host of the domain can set them. In a frame of another site they are partitioned by that site.
 *
 * @see https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie
 */
export function createCookies({ isSecure }: { isSecure: boolean }): Cookies {
  const nameOf = (name: CookieName) => `${isSecure ? '__Host-' : ''}siwe-${name}`
  return {
    read: (request, name) => {
      const prefix = `${nameOf(name)}=`
      const cookies = request.headers.get('cookie')?.split(';') ?? []
      const values = cookies.map((cookie) => cookie.trim()).filter((cookie) => cookie.startsWith(prefix))
      // The server sets one cookie; a second one was planted by an attacker.
      return values.length === 1 ? values[0]?.slice(prefix.length) : undefined
    },
    write: (request, name, value, maxAge) => {
      const scope =
        request.headers.get('siwe-frame') === 'embedded'
          ? 'SameSite=None; Secure; Partitioned'
          : `SameSite=Lax${isSecure ? '; Secure' : ''}`
      return `${nameOf(name)}=${value}; Path=/; HttpOnly; ${scope}; Max-Age=${Math.floor(maxAge / 1000)}`
    },
  }
}
