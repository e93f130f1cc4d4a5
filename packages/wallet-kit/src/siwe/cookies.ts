type CookieName = 'browser' | 'session'

export type Cookies = {
  /** Returns the values of a cookie: two of them in a frame of the same site, none if another one was planted. */
  read: (request: Request, name: CookieName) => string[]
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
      const found = cookies.map((cookie) => cookie.trim()).filter((cookie) => cookie.startsWith(prefix))
      // Browsers send a partitioned cookie beside the other one, if the frame is of the same site. Any other was planted.
      return found.length <= (isSecure ? 2 : 1) ? found.map((cookie) => cookie.slice(prefix.length)) : []
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
