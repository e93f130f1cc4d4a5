/**
 * Returns whether a request target is written as a path below `/v1`. Refuses dots and slashes that another server
 * might decode into a different path, because servers differ in how they resolve them.
 */
export function isApiTarget(target: string): boolean {
  const [path = ''] = target.split('?')
  if (!/^\/v1(\/([\w.~!$&'()*+,;=:@-]|%[0-9a-fA-F]{2})+)+$/.test(path)) return false
  if (/%(2f|5c|00|25)/i.test(path)) return false
  return !path.split('/').some((segment) => /^\.+$/.test(segment.replaceAll(/%2e/gi, '.')))
}
