/**
 * Creates a `Promise` whose rejections never count as unhandled. The relay client leaves many promises to themselves,
 * which reject when a code expires or a connection closes, and the page would report each as its own error. Whoever
 * waits for one still gets its rejection.
 *
 * The build writes this function in front of the client's code, so that it must not use anything around it.
 */
export function createHandledPromise(Native: PromiseConstructor): PromiseConstructor {
  const ignore = () => {}
  let isHandling = false
  return class HandledPromise<T> extends Native<T> {
    static override get [Symbol.species](): PromiseConstructor {
      return isHandling ? Native : HandledPromise
    }

    constructor(executor: ConstructorParameters<typeof Native<T>>[0]) {
      super(executor)
      isHandling = true
      super.then(undefined, ignore)
      isHandling = false
    }
  }
}
