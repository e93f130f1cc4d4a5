const trap = () => {
  throw new Error('trap')
}

/** Creates an object on which every operation throws. */
export function createTrap<T extends object>(target: T): T {
  return new Proxy(target, {
    get: trap,
    has: trap,
    ownKeys: trap,
    getOwnPropertyDescriptor: trap,
    getPrototypeOf: trap,
  })
}

/** Creates a revoked proxy, for which even `Array.isArray` and `instanceof` throw. */
export function createRevoked<T extends object>(target: T): T {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

/** Creates an object that contains itself under `key`. */
export function createCircle(key: string): Record<string, unknown> {
  const circle: Record<string, unknown> = {}
  circle[key] = circle
  return circle
}
